class Kinf < Formula
  desc "Watch, index and record Kubernetes objects through informers"
  homepage "@URL@"
  version "@VERSION@"
  license "Apache-2.0"
  depends_on :linux

  on_intel do
    url "@URL@/kinf-@VERSION@-linux-x86_64.tar.gz"
    sha256 "@SHA256_x86_64@"
  end
  on_arm do
    url "@URL@/kinf-@VERSION@-linux-aarch64.tar.gz"
    sha256 "@SHA256_aarch64@"
  end

  def install
    bin.install Dir["bin/*"]
    man1.install Dir["share/man/man1/*"]
    man7.install Dir["share/man/man7/*"]
    bash_completion.install "share/bash-completion/completions/kinf"
    zsh_completion.install "share/zsh/site-functions/_kinf"
    fish_completion.install "share/fish/vendor_completions.d/kinf.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/kinf --version")
    assert_match "NAME", shell_output("#{bin}/kinf get pods -A --sandbox=nettool")
  end
end

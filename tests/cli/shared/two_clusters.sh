# For the cases: starts two sandboxes, `a` with the pod one and `b` with the pod two, and sets
# KUBECONFIG to both. With CLUSTERS="a b c" there is a third, with the pod three.
# `stop_cluster NAME` ends one, and keeps its port from other programs until `free_port NAME`.
# With `stop_cluster NAME --silent`, connections to the port are accepted and never answered.
for name in ${CLUSTERS:-a b}; do
  case $name in a) pod=one ;; b) pod=two ;; *) pod=three ;; esac
  echo "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"$pod\",\"labels\":{\"app\":\"web\"}},\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}" > $name.json
  kinf sandbox --no-controllers --kubeconfig-out $name.config --load $name.json > $name.out 2>&1 &
  eval "pid_$name=$!"
  while ! [ -s $name.out ]; do sleep 0.05; done
  sed "s/: sandbox$/: $name/" $name.config > $name.kubeconfig
  KUBECONFIG=${KUBECONFIG:+$KUBECONFIG:}$PWD/$name.kubeconfig
done
export KUBECONFIG
address_of() { sed -n 's|.*server: http://||p' $1.kubeconfig; }
stop_cluster() {
  eval "kill \$pid_$1; wait \$pid_$1"
  python3 "$SHARED/hold_port.py" "$(address_of $1)" $2 > $1.held & eval "holder_$1=$!"
  while ! [ -s $1.held ]; do sleep 0.05; done
}
free_port() { eval "kill \$holder_$1; wait \$holder_$1"; }
trap 'kill $pid_a $pid_b $pid_c $holder_a $holder_b $holder_c 2>/dev/null' EXIT

// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/completion/completion_script.h"

#include "kinf/cli/completion/script_texts.h"

namespace kinf {

std::string_view completion_script(std::string_view shell) {
  if (shell == "bash") return kBashScript;
  if (shell == "zsh") return kZshScript;
  if (shell == "fish") return kFishScript;
  return {};
}

}  // namespace kinf

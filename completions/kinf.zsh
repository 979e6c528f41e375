#compdef kinf
# SPDX-License-Identifier: Apache-2.0
# zsh completion for kinf, which `kinf completion zsh` prints. `kinf __complete` knows the words.

_kinf() {
  local -a answer entries
  local line text
  local -i directive dashes=${words[(i)--]}
  if (( dashes < CURRENT )); then # the command after `--`
    words=("${(@)words[dashes + 1,-1]}")
    (( CURRENT -= dashes ))
    _normal
    return
  fi
  answer=("${(@f)$(_call_program kinf ${words[1]} __complete \
    "${(@q)${(@Q)words[2,CURRENT - 1]}}" "${(q)${(Q)PREFIX}:-''}")}")
  directive=${answer[-1]#:}
  answer[-1]=()
  for line in "${(@)answer}"; do
    text=${line%%$'\t'*}
    entries+=("${text//:/\\:}${${line#$text}/$'\t'/:}")
  done
  # The candidates for a flag's value replace the text after `=`.
  [[ $PREFIX != -*=* ]] || compset -P 1 '*='
  if (( ${#entries} )); then
    if (( directive & 2 )); then
      _describe kinf entries -S ''
    else
      _describe kinf entries
    fi
  elif (( directive & 16 )); then
    _files -/
  elif (( ! (directive & 4) )); then
    _files
  fi
}

if [[ ${funcstack[1]} == _kinf ]]; then
  _kinf "$@" # loaded by compinit from a file
else
  compdef _kinf kinf
fi

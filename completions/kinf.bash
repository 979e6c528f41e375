# SPDX-License-Identifier: Apache-2.0
# bash completion for kinf, which `kinf completion bash` prints. `kinf __complete` knows the words.

# Sets `words` to the words up to the cursor. bash splits the line at `=`, `:` and `@` too; this
# joins the parts that no space separates.
_kinf_read_words() {
  local rest=${COMP_LINE:0:COMP_POINT} part last=-1
  words=()
  for part in "${COMP_WORDS[@]}"; do
    [[ -n $rest ]] || break
    if [[ $last -lt 0 || $rest == [[:space:]]* ]]; then
      rest=${rest#"${rest%%[![:space:]]*}"}
      ((++last))
      words[last]=""
    fi
    part=${part:0:${#rest}}
    words[last]+=$part
    rest=${rest:${#part}}
  done
}

# Completes the command after `--`, if the cursor is there.
_kinf_complete_command() {
  local i
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ ${COMP_WORDS[i]} == -- ]]; then
      declare -F _command_offset >/dev/null && _command_offset $((i + 1))
      return 0
    fi
  done
  return 1
}

# Sets `open_quote` to the quote that is open at the end of the word, if there is one, and `given` to
# the text before it. bash replaces the text after it.
_kinf_read_quote() {
  local i char
  for ((i = 0; i < ${#word}; i++)); do
    char=${word:i:1}
    case $open_quote$char in
      \\ | \"\\) ((++i)) ;;
      \"\" | \'\') open_quote="" ;;
      \" | \') open_quote=$char given=${word:0:i} ;;
    esac
  done
  [[ -n $open_quote ]] || given=""
}

# Quotes the characters of the candidates that have a meaning for bash, between the open quotes if
# there are any.
_kinf_quote() {
  local i text
  for i in "${!COMPREPLY[@]}"; do
    text=${COMPREPLY[i]}
    case $open_quote in
      \") text=${text//\\/\\\\} text=${text//\"/\\\"} text=${text//\$/\\\$} text=${text//\`/\\\`} ;;
      \') text=${text//\'/\'\\\'\'} ;;
      *) [[ $text != *[!A-Za-z0-9_./:=,@%+-]* ]] || printf -v text %q "$text" ;;
    esac
    COMPREPLY[i]=$text
  done
}

# Adds the descriptions to the candidates, if bash will only list them.
_kinf_describe() {
  local i width=0
  ((${#COMPREPLY[@]} > 1)) && [[ $COMP_TYPE != 37 && $COMP_TYPE != 42 ]] || return
  for i in "${COMPREPLY[@]}"; do
    ((${#i} > width)) && width=${#i}
  done
  for i in "${!COMPREPLY[@]}"; do
    [[ -z ${descriptions[i]} ]] ||
      printf -v "COMPREPLY[$i]" '%-*s  (%s)' "$width" "${COMPREPLY[i]}" "${descriptions[i]}"
  done
}

_kinf() {
  local words word line directive=4 given="" open_quote="" descriptions=()
  COMPREPLY=()
  _kinf_complete_command && return
  _kinf_read_words
  word=${words[${#words[@]} - 1]}
  _kinf_read_quote
  words=("${words[@]//[\"\'\\]/}")
  word=${words[${#words[@]} - 1]}
  # The candidates for a flag's value replace the text after `=`.
  [[ $word != -*=* ]] || word=${word#*=}
  if [[ -n $open_quote ]]; then
    given=${given//[\"\'\\]/}
    [[ $given != -*=* ]] || given=${given#*=}
  else # bash replaces the text after the last of these characters.
    given=${word%"${word##*["$COMP_WORDBREAKS"]}"}
  fi
  while IFS= read -r line; do
    case $line in
      :[0-9]*) directive=${line#:} ;;
      *$'\t'*) COMPREPLY+=("${line%%$'\t'*}") descriptions+=("${line#*$'\t'}") ;;
      *) COMPREPLY+=("$line") descriptions+=("") ;;
    esac
  done < <("${1/#\~/$HOME}" __complete "${words[@]:1}" 2>/dev/null </dev/null)
  COMPREPLY=("${COMPREPLY[@]#"$given"}")
  if ((${#COMPREPLY[@]} == 0)); then
    if ((directive & 16)); then
      compopt -o dirnames
    elif ((!(directive & 4))); then
      compopt -o default
    fi
    return
  fi
  ((!(directive & 2))) || compopt -o nospace
  _kinf_quote
  _kinf_describe
}

complete -F _kinf kinf

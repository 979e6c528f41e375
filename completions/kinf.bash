# SPDX-License-Identifier: Apache-2.0
# bash completion for kinf: commands, flags, common types, and the values of some flags.
# A test compares the flags with `kinf COMMAND --help`.

_kinf_commands="watch get index wait run record history demo sandbox version help"
_kinf_types="configmaps cronjobs daemonsets deployments endpoints endpointslices events
  horizontalpodautoscalers ingresses jobs namespaces networkpolicies nodes persistentvolumeclaims
  persistentvolumes pods replicasets secrets serviceaccounts services statefulsets storageclasses"
_kinf_flags_log="--v --quiet --log-format --color --help"
_kinf_flags_cluster="--kubeconfig --context --cluster --user --server --token
  --certificate-authority --client-certificate --client-key --tls-server-name
  --insecure-skip-tls-verify --as --as-group --as-uid --in-cluster --cache-dir --sandbox"
_kinf_flags_informer="$_kinf_flags_cluster --namespace --all-namespaces --namespace-selector
  --accessible --selector --field-selector --where --owner --chunk-size --pages-in-flight
  --watch-list --stall-timeout --max-retry-interval --sync-timeout --request-timeout
  --must-exist --wait-for-type --retry-forbidden --metadata --drop --keep --stats"
_kinf_flags_record="$_kinf_flags_cluster --namespace --all-namespaces --accessible --selector
  --field-selector --chunk-size --pages-in-flight --watch-list --stall-timeout
  --max-retry-interval --sync-timeout --request-timeout --wait-for-type --retry-forbidden
  --metadata --stats --to --keep --max-size --show-secrets"
_kinf_flags_queue="$_kinf_flags_informer --queue --resync"
_kinf_flags_output="$_kinf_flags_queue --output --sort-by --no-headers --label-columns --show-labels --show-kind
  --server-print --allow-missing-template-keys --show-secrets --show-managed-fields
  --from --at --since --until-time --speed --record"
_kinf_forms="table wide json yaml name csv tsv jsonpath= jsonpath-file= jsonpath-as-json=
  custom-columns= custom-columns-file="
_kinf_wait_forms="json yaml name jsonpath= jsonpath-file= jsonpath-as-json="
_kinf_flags_watch="$_kinf_flags_output --watch --watch-only --latest --with-events --once --output-watch-events
  --diff --show-old --changed --ignore --timestamps --timezone
  --events --jq --until --max-events --timeout --group --bookmarks --state"
_kinf_flags_get="$_kinf_flags_watch"
_kinf_flags_index="$_kinf_flags_output --by --watch --count --objects --top
  --max-events --timeout --key-format --dump --exit-status"
_kinf_flags_run="$_kinf_flags_queue --record --from --since --until-time --speed --state --changed --no-initial --concurrency --batch --debounce
  --min-interval --max-retries --backoff --cmd-timeout --fail-fast --drain --show-secrets
  --show-managed-fields"
_kinf_flags_wait="$_kinf_flags_informer --record --from --since --until-time --speed --for --fail-on --any --all --count --ever --for-duration
  --timeout --output --allow-missing-template-keys --show-secrets --show-managed-fields"
_kinf_flags_history="$_kinf_flags_cluster --namespace --chunk-size --pages-in-flight --watch-list
  --stall-timeout --max-retry-interval --sync-timeout --request-timeout --must-exist
  --wait-for-type --retry-forbidden --stats --from --since --until-time --speed --diff --output --no-headers
  --show-secrets --timestamps --timezone --max-events --timeout"
_kinf_flags_demo="$_kinf_flags_cluster --namespace --all-namespaces --explain --live --keys --listen --resync --speed"
_kinf_stages="deltafifo dedup synced listwatch reflector reflector-known informer shared
  shared-listwatch shared-vs-separate slow-handler index-map http factory resync faults workqueue controller"
_kinf_flags_sandbox="--listen --listen-any --tls --kubeconfig-out --name --scenario --load --data
  --speed --nodes --no-controllers --from --at --since --token --fault --relay"

_kinf_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$current"); }

_kinf() {
  local current previous command="" word flags
  # `=` and `:` end a word too, because this does not need the bash-completion package.
  current=${COMP_WORDS[COMP_CWORD]}
  previous=${COMP_WORDS[COMP_CWORD - 1]}
  if [ "$current" = "=" ]; then current="" previous+="="
  elif [ "$previous" = "=" ]; then previous="${COMP_WORDS[COMP_CWORD - 2]}="; fi
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case " $_kinf_commands " in *" $word "*) command=$word; break ;; esac
  done
  case $previous in
    --kubeconfig|--kubeconfig-out|--certificate-authority|--client-certificate|--client-key|\
    --from|--record|--state|--to)
      mapfile -t COMPREPLY < <(compgen -f -- "$current"); return ;;
    -o|--output)
      if [ "$command" = index ]; then _kinf_words "jsonl keys $_kinf_forms"
      elif [ "$command" = wait ]; then _kinf_words "$_kinf_wait_forms"
      else _kinf_words "$_kinf_forms"; fi
      return ;;
    --diff=|-d=) _kinf_words "lines yaml patch"; return ;;
    --timestamps=|-t=) _kinf_words "short rfc3339 unix relative"; return ;;
    --ignore) _kinf_words "noise"; return ;;
    --events) _kinf_words "added updated deleted resync"; return ;;
    --until|--for|--fail-on) _kinf_words "create delete condition= jsonpath= jq="; return ;;
    --queue) _kinf_words "in-order delta"; return ;;
    --watch-list) _kinf_words "auto on off"; return ;;
    --bookmarks) _kinf_words "none end all"; return ;;
    --log-format) _kinf_words "text json"; return ;;
    --color) _kinf_words "auto always never"; return ;;
    --sort-by) _kinf_words "count value"; return ;;
    --scenario) _kinf_words "nettool rollout crashloop churn quiet"; return ;;
  esac
  if [ -z "$command" ]; then
    _kinf_words "$_kinf_commands --help"
    return
  fi
  case $current in
    -*) flags=_kinf_flags_$command; _kinf_words "$_kinf_flags_log ${!flags-}"; return ;;
  esac
  case $command in
    watch|get|index|wait|run|record|history)
      # Complete the type after the last comma.
      local before=""
      case $current in *,*) before=${current%,*},; current=${current##*,} ;; esac
      mapfile -t COMPREPLY < <(compgen -P "$before" -W "$_kinf_types" -- "$current") ;;
    demo) _kinf_words "$_kinf_stages" ;;
    help) _kinf_words "$_kinf_commands" ;;
  esac
}
complete -F _kinf kinf

# SPDX-License-Identifier: Apache-2.0
# fish completion for kinf. A test compares the flags with `kinf COMMAND --help`.
set -l commands watch get index run demo sandbox version help
set -l informers watch get index run
set -l clients watch get index run demo
set -l stages deltafifo listwatch reflector reflector-known informer shared shared-listwatch \
    index-map http factory workqueue
set -l types configmaps cronjobs daemonsets deployments endpoints endpointslices events \
    horizontalpodautoscalers ingresses jobs namespaces networkpolicies nodes persistentvolumeclaims \
    persistentvolumes pods replicasets secrets serviceaccounts services statefulsets storageclasses

complete -c kinf -f
complete -c kinf -n "not __fish_seen_subcommand_from $commands" -a watch -d 'print the current objects, then every change'
complete -c kinf -n "not __fish_seen_subcommand_from $commands" -a get -d 'print the current objects and exit'
complete -c kinf -n "not __fish_seen_subcommand_from $commands" -a index -d 'query objects by label, field or owner'
complete -c kinf -n "not __fish_seen_subcommand_from $commands" -a run -d 'run a command for every object that changes'
complete -c kinf -n "not __fish_seen_subcommand_from $commands" -a demo -d 'show how an informer works'
complete -c kinf -n "not __fish_seen_subcommand_from $commands" -a sandbox -d 'run a small API server'
complete -c kinf -n "not __fish_seen_subcommand_from $commands" -a version -d 'print the version'
complete -c kinf -n "not __fish_seen_subcommand_from $commands" -a help -d 'print help'
complete -c kinf -n "__fish_seen_subcommand_from $informers" -a "$types"
complete -c kinf -n "__fish_seen_subcommand_from demo" -a "$stages"

complete -c kinf -s v -l v -x -a '0 2 4 6 8' -d 'log level'
complete -c kinf -s q -l quiet -d 'print no notices'
complete -c kinf -l log-format -x -a 'text json' -d 'format of log lines'
complete -c kinf -l color -x -a 'auto always never' -d 'when to colour the output'
complete -c kinf -s h -l help -d 'print help'

complete -c kinf -n "__fish_seen_subcommand_from $clients" -l kubeconfig -r -F -d 'kubeconfig file'
complete -c kinf -n "__fish_seen_subcommand_from $clients" -l context -x -d 'kubeconfig context'
complete -c kinf -n "__fish_seen_subcommand_from $clients" -l cluster -x -d 'kubeconfig cluster'
complete -c kinf -n "__fish_seen_subcommand_from $clients" -l user -x -d 'kubeconfig user'
complete -c kinf -n "__fish_seen_subcommand_from $clients" -s n -l namespace -x -d 'namespace, or several with commas'
complete -c kinf -n "__fish_seen_subcommand_from $clients" -s A -l all-namespaces -d 'all namespaces'
complete -c kinf -n "__fish_seen_subcommand_from $clients" -s s -l server -x -d 'address of the API server'
complete -c kinf -n "__fish_seen_subcommand_from $clients" -l token -x -d 'bearer token'
complete -c kinf -n "__fish_seen_subcommand_from $clients" -l certificate-authority -r -F -d 'CA certificates'
complete -c kinf -n "__fish_seen_subcommand_from $clients" -l client-certificate -r -F -d 'client certificate'
complete -c kinf -n "__fish_seen_subcommand_from $clients" -l client-key -r -F -d 'key of the client certificate'
complete -c kinf -n "__fish_seen_subcommand_from $clients" -l tls-server-name -x -d "name in the server's certificate"
complete -c kinf -n "__fish_seen_subcommand_from $clients" -l insecure-skip-tls-verify -d "do not verify the server's certificate"
complete -c kinf -n "__fish_seen_subcommand_from $clients" -l as -x -d 'user to impersonate'
complete -c kinf -n "__fish_seen_subcommand_from $clients" -l as-group -x -d 'group to impersonate'
complete -c kinf -n "__fish_seen_subcommand_from $clients" -l as-uid -x -d 'UID to impersonate'
complete -c kinf -n "__fish_seen_subcommand_from $clients" -l in-cluster -d "use the pod's service account"
complete -c kinf -n "__fish_seen_subcommand_from $clients" -l cache-dir -r -d 'directory of the discovery cache'
complete -c kinf -n "__fish_seen_subcommand_from $clients" -l sandbox -d 'start an embedded API server'
complete -c kinf -n "__fish_seen_subcommand_from $informers" -l request-timeout -x -d 'fail a list after this long without data'
complete -c kinf -n "__fish_seen_subcommand_from $informers" -l must-exist -d 'fail if a named object does not exist'
complete -c kinf -n "__fish_seen_subcommand_from $informers" -l wait-for-type -d 'wait for a type that is not served yet'
complete -c kinf -n "__fish_seen_subcommand_from $informers" -s l -l selector -x -d 'label selector'
complete -c kinf -n "__fish_seen_subcommand_from $informers" -l field-selector -x -d 'field selector'
complete -c kinf -n "__fish_seen_subcommand_from $informers" -l where -x -d 'jq expression that objects must satisfy'
complete -c kinf -n "__fish_seen_subcommand_from $informers" -l chunk-size -x -d 'objects per page of a list'
complete -c kinf -n "__fish_seen_subcommand_from $informers" -l pages-in-flight -x -d 'pages of a list to request at a time'
complete -c kinf -n "__fish_seen_subcommand_from $informers" -l watch-list -x -a 'auto on off' -d 'get lists as a stream'
complete -c kinf -n "__fish_seen_subcommand_from $informers" -l stall-timeout -x -d 'reconnect after this long without data'
complete -c kinf -n "__fish_seen_subcommand_from $informers" -l max-retry-interval -x -d 'longest delay between retries'
complete -c kinf -n "__fish_seen_subcommand_from $informers" -l retry-forbidden -d 'keep retrying on 401 and 403'
complete -c kinf -n "__fish_seen_subcommand_from $informers" -l sync-timeout -x -d 'time limit for the first list'
complete -c kinf -n "__fish_seen_subcommand_from $informers" -l stats -d 'print statistics at the end'

complete -c kinf -n '__fish_seen_subcommand_from watch get' -s o -l output -x -a 'table wide json yaml name' -d 'output format'
complete -c kinf -n '__fish_seen_subcommand_from watch get index' -s w -l watch -d 'print every change'
complete -c kinf -n '__fish_seen_subcommand_from watch get' -l watch-only -d 'skip the current objects'
complete -c kinf -n '__fish_seen_subcommand_from watch get' -s d -l diff -d 'show what changed'
complete -c kinf -n '__fish_seen_subcommand_from watch get' -l show-old -d 'add the old object to json and yaml'
complete -c kinf -n '__fish_seen_subcommand_from watch get' -l ignore -x -a noise -d 'skip updates that change only this'
complete -c kinf -n '__fish_seen_subcommand_from watch get' -s t -l timestamps -d 'add a TIME column'
complete -c kinf -n '__fish_seen_subcommand_from watch get' -l timezone -x -d 'time zone of the timestamps'
complete -c kinf -n '__fish_seen_subcommand_from watch get' -l latest -d 'merge pending changes for a slow reader'
complete -c kinf -n '__fish_seen_subcommand_from watch get' -l once -d 'print the current objects and exit'
complete -c kinf -n '__fish_seen_subcommand_from watch get' -l output-watch-events -d 'print the type of each event'
complete -c kinf -n '__fish_seen_subcommand_from watch get' -l events -x -a 'added updated deleted' -d 'print only these'
complete -c kinf -n '__fish_seen_subcommand_from watch get' -l jq -x -d 'print the results of a jq program'
complete -c kinf -n '__fish_seen_subcommand_from watch get' -l until -x -a 'create delete condition= jsonpath= jq=' -d 'exit at the first event that satisfies it'
complete -c kinf -n '__fish_seen_subcommand_from watch get index' -l max-events -x -d 'exit after this many events'
complete -c kinf -n '__fish_seen_subcommand_from watch get index' -l timeout -x -d 'exit after this time'
complete -c kinf -n '__fish_seen_subcommand_from watch get index' -l no-headers -d 'omit the table header'
complete -c kinf -n '__fish_seen_subcommand_from watch get' -s L -l label-columns -x -d 'add columns for labels'
complete -c kinf -n '__fish_seen_subcommand_from watch get' -l show-labels -d 'add a column with all labels'
complete -c kinf -n "__fish_seen_subcommand_from $informers" -l show-secrets -d 'print the values of Secrets'
complete -c kinf -n "__fish_seen_subcommand_from $informers" -l show-managed-fields -d 'keep metadata.managedFields'

complete -c kinf -n '__fish_seen_subcommand_from index' -l by -x -d 'index key, or KEY=VALUE to select'
complete -c kinf -n '__fish_seen_subcommand_from index' -s o -l output -x -a 'table wide json jsonl yaml name keys csv custom-columns= jsonpath=' -d 'output format'
complete -c kinf -n '__fish_seen_subcommand_from index' -l objects -d 'add the objects to the output'
complete -c kinf -n '__fish_seen_subcommand_from index' -l sort-by -x -a 'count value' -d 'order of the values'
complete -c kinf -n '__fish_seen_subcommand_from index' -l top -x -d 'print only the first values'
complete -c kinf -n '__fish_seen_subcommand_from index' -l key-format -x -d 'format of keys'
complete -c kinf -n '__fish_seen_subcommand_from index' -l dump -d 'print the whole index'
complete -c kinf -n '__fish_seen_subcommand_from index' -l count -d 'print only the number of objects'
complete -c kinf -n '__fish_seen_subcommand_from index' -s e -l exit-status -d 'exit with 4 if nothing matches'

complete -c kinf -n '__fish_seen_subcommand_from watch get run' -l changed -x -d 'skip updates that change nothing at this JSONPath'
complete -c kinf -n '__fish_seen_subcommand_from run' -l no-initial -d 'skip the current objects'
complete -c kinf -n '__fish_seen_subcommand_from run' -l concurrency -x -d 'commands at a time'
complete -c kinf -n '__fish_seen_subcommand_from run' -l batch -x -d 'objects per run'
complete -c kinf -n '__fish_seen_subcommand_from run' -l debounce -x -d 'wait until an object has not changed for this long'
complete -c kinf -n '__fish_seen_subcommand_from run' -l min-interval -x -d 'minimum time between runs for an object'
complete -c kinf -n '__fish_seen_subcommand_from run' -l max-retries -x -d 'retries before giving up'
complete -c kinf -n '__fish_seen_subcommand_from run' -l backoff -x -d 'delays before retries'
complete -c kinf -n '__fish_seen_subcommand_from run' -l cmd-timeout -x -d 'time limit for a command'
complete -c kinf -n '__fish_seen_subcommand_from run' -l fail-fast -d 'exit when kinf gives up on an object'
complete -c kinf -n '__fish_seen_subcommand_from run' -l drain -x -d 'how long to wait for running commands at the end'

complete -c kinf -n '__fish_seen_subcommand_from demo' -l explain -d 'print what happens, and in which file'
complete -c kinf -n '__fish_seen_subcommand_from demo' -l listen -x -d 'listen address'
complete -c kinf -n '__fish_seen_subcommand_from demo' -l resync -x -d 'resync period of the stage factory'
complete -c kinf -n '__fish_seen_subcommand_from demo' -l speed -x -d 'play the scenario this many times as fast'

complete -c kinf -n '__fish_seen_subcommand_from sandbox' -l listen -x -d 'listen address'
complete -c kinf -n '__fish_seen_subcommand_from sandbox' -l listen-any -d 'allow addresses other than loopback'
complete -c kinf -n '__fish_seen_subcommand_from sandbox' -l tls -d 'serve TLS'
complete -c kinf -n '__fish_seen_subcommand_from sandbox' -l kubeconfig-out -r -F -d 'write the kubeconfig to this file'
complete -c kinf -n '__fish_seen_subcommand_from sandbox' -l scenario -x -a 'nettool rollout crashloop churn quiet' -d 'play a scenario'
complete -c kinf -n '__fish_seen_subcommand_from sandbox' -l load -r -F -d 'start with these objects'
complete -c kinf -n '__fish_seen_subcommand_from sandbox' -l data -x -a '(__fish_complete_directories)' -d 'keep the objects across restarts'
complete -c kinf -n '__fish_seen_subcommand_from sandbox' -l speed -x -d 'play the scenario this many times as fast'
complete -c kinf -n '__fish_seen_subcommand_from sandbox' -l token -x -d 'bearer token'
complete -c kinf -n '__fish_seen_subcommand_from sandbox' -l fault -x -a 'cut reset stall truncate slow:1KBps latency:50ms gone expire-continue garbage error:500 too-many:429 no-bookmark-end deny:secrets random:seed=7:rate=0.2' -d 'inject a fault'
complete -c kinf -n '__fish_seen_subcommand_from sandbox' -l relay -x -d 'run a relay in front of this server'

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
complete -c kinf -n "not __fish_seen_subcommand_from $commands" -a watch -d 'what is there, then every change'
complete -c kinf -n "not __fish_seen_subcommand_from $commands" -a get -d 'what is there, once'
complete -c kinf -n "not __fish_seen_subcommand_from $commands" -a index -d 'objects by label or field'
complete -c kinf -n "not __fish_seen_subcommand_from $commands" -a run -d 'a program for every change'
complete -c kinf -n "not __fish_seen_subcommand_from $commands" -a demo -d 'one stage at a time'
complete -c kinf -n "not __fish_seen_subcommand_from $commands" -a sandbox -d 'an embedded API server'
complete -c kinf -n "not __fish_seen_subcommand_from $commands" -a version -d 'the version'
complete -c kinf -n "not __fish_seen_subcommand_from $commands" -a help -d 'a summary'
complete -c kinf -n "__fish_seen_subcommand_from $informers" -a "$types"
complete -c kinf -n "__fish_seen_subcommand_from demo" -a "$stages"

complete -c kinf -s v -l v -x -a '0 2 4 6 8' -d 'say more'
complete -c kinf -s q -l quiet -d 'no notices'
complete -c kinf -l color -x -a 'auto always never' -d 'when to use colour'
complete -c kinf -s h -l help -d 'a summary'

complete -c kinf -n "__fish_seen_subcommand_from $clients" -l kubeconfig -r -F -d 'the kubeconfig to use'
complete -c kinf -n "__fish_seen_subcommand_from $clients" -l context -x -d 'an entry of the kubeconfig'
complete -c kinf -n "__fish_seen_subcommand_from $clients" -l cluster -x -d 'a cluster of the kubeconfig'
complete -c kinf -n "__fish_seen_subcommand_from $clients" -l user -x -d 'a user of the kubeconfig'
complete -c kinf -n "__fish_seen_subcommand_from $clients" -s n -l namespace -x -d 'the namespace'
complete -c kinf -n "__fish_seen_subcommand_from $clients" -s A -l all-namespaces -d 'all namespaces'
complete -c kinf -n "__fish_seen_subcommand_from $clients" -s s -l server -x -d 'address of the server'
complete -c kinf -n "__fish_seen_subcommand_from $clients" -l token -x -d 'a bearer token'
complete -c kinf -n "__fish_seen_subcommand_from $clients" -l certificate-authority -r -F -d 'certificates that vouch for the server'
complete -c kinf -n "__fish_seen_subcommand_from $clients" -l client-certificate -r -F -d 'the certificate to sign in with'
complete -c kinf -n "__fish_seen_subcommand_from $clients" -l client-key -r -F -d 'its key'
complete -c kinf -n "__fish_seen_subcommand_from $clients" -l tls-server-name -x -d "the name in the server's certificate"
complete -c kinf -n "__fish_seen_subcommand_from $clients" -l insecure-skip-tls-verify -d 'take any certificate'
complete -c kinf -n "__fish_seen_subcommand_from $clients" -l as -x -d 'act as this user'
complete -c kinf -n "__fish_seen_subcommand_from $clients" -l as-group -x -d 'and as of this group'
complete -c kinf -n "__fish_seen_subcommand_from $clients" -l as-uid -x -d 'and with this uid'
complete -c kinf -n "__fish_seen_subcommand_from $clients" -l in-cluster -d 'use the credentials of this pod'
complete -c kinf -n "__fish_seen_subcommand_from $clients" -l cache-dir -r -d 'where API discovery is kept'
complete -c kinf -n "__fish_seen_subcommand_from $clients" -l sandbox -d 'start an embedded API server'
complete -c kinf -n "__fish_seen_subcommand_from $informers" -l request-timeout -x -d 'the longest a page may take'
complete -c kinf -n "__fish_seen_subcommand_from $informers" -l must-exist -d 'an absent name is an error'
complete -c kinf -n "__fish_seen_subcommand_from $informers" -l wait-for-type -d 'wait for a type that is not served yet'
complete -c kinf -n "__fish_seen_subcommand_from $informers" -s l -l selector -x -d 'only these labels'
complete -c kinf -n "__fish_seen_subcommand_from $informers" -l field-selector -x -d 'only these fields'
complete -c kinf -n "__fish_seen_subcommand_from $informers" -l chunk-size -x -d 'objects per page'
complete -c kinf -n "__fish_seen_subcommand_from $informers" -l watch-list -x -a 'auto on off' -d 'stream the first list'
complete -c kinf -n "__fish_seen_subcommand_from $informers" -l stall-timeout -x -d 'reconnect after such silence'
complete -c kinf -n "__fish_seen_subcommand_from $informers" -l max-retry-interval -x -d 'longest pause between tries'
complete -c kinf -n "__fish_seen_subcommand_from $informers" -l retry-forbidden -d 'go on where refused'
complete -c kinf -n "__fish_seen_subcommand_from $informers" -l sync-timeout -x -d 'give up on the first list'
complete -c kinf -n "__fish_seen_subcommand_from $informers" -l stats -d 'one line of figures at the end'

complete -c kinf -n '__fish_seen_subcommand_from watch get' -s o -l output -x -a 'table wide json yaml name' -d 'form of the output'
complete -c kinf -n '__fish_seen_subcommand_from watch get index' -s w -l watch -d 'go on with every change'
complete -c kinf -n '__fish_seen_subcommand_from watch get' -l watch-only -d 'only changes'
complete -c kinf -n '__fish_seen_subcommand_from watch get' -l latest -d 'fold changes for a slow reader'
complete -c kinf -n '__fish_seen_subcommand_from watch get' -l once -d 'print what is there and end'
complete -c kinf -n '__fish_seen_subcommand_from watch get' -l output-watch-events -d 'say what happened'
complete -c kinf -n '__fish_seen_subcommand_from watch get' -l max-events -x -d 'end after so many events'
complete -c kinf -n '__fish_seen_subcommand_from watch get' -l timeout -x -d 'end after so long'
complete -c kinf -n '__fish_seen_subcommand_from watch get index' -l no-headers -d 'no header above the table'
complete -c kinf -n '__fish_seen_subcommand_from watch get' -s L -l label-columns -x -d 'columns for labels'
complete -c kinf -n '__fish_seen_subcommand_from watch get' -l show-labels -d 'a column with all labels'
complete -c kinf -n "__fish_seen_subcommand_from $informers" -l show-secrets -d 'print the values of Secrets'
complete -c kinf -n "__fish_seen_subcommand_from $informers" -l show-managed-fields -d 'keep managedFields'

complete -c kinf -n '__fish_seen_subcommand_from index' -l by -x -d 'a key, or KEY=VALUE'
complete -c kinf -n '__fish_seen_subcommand_from index' -s o -l output -x -a 'table wide json jsonl yaml name keys csv custom-columns= jsonpath=' -d 'form of the answer'
complete -c kinf -n '__fish_seen_subcommand_from index' -l objects -d 'the objects beside their keys'
complete -c kinf -n '__fish_seen_subcommand_from index' -l sort-by -x -a 'count value' -d 'order of the groups'
complete -c kinf -n '__fish_seen_subcommand_from index' -l top -x -d 'only the first groups'
complete -c kinf -n '__fish_seen_subcommand_from index' -l key-format -x -d 'how keys are written'
complete -c kinf -n '__fish_seen_subcommand_from index' -l dump -d 'the whole index'
complete -c kinf -n '__fish_seen_subcommand_from index' -l count -d 'only the number'
complete -c kinf -n '__fish_seen_subcommand_from index' -s e -l exit-status -d 'end with 4 when nothing matches'

complete -c kinf -n '__fish_seen_subcommand_from run' -l changed -x -d 'only updates of this path'
complete -c kinf -n '__fish_seen_subcommand_from run' -l no-initial -d 'not for what is there'
complete -c kinf -n '__fish_seen_subcommand_from run' -l concurrency -x -d 'so many at once'
complete -c kinf -n '__fish_seen_subcommand_from run' -l batch -x -d 'up to so many objects a run'
complete -c kinf -n '__fish_seen_subcommand_from run' -l debounce -x -d 'wait for a pause in changes'
complete -c kinf -n '__fish_seen_subcommand_from run' -l min-interval -x -d 'from one run to the next'
complete -c kinf -n '__fish_seen_subcommand_from run' -l max-retries -x -d 'tries before it is given up'
complete -c kinf -n '__fish_seen_subcommand_from run' -l backoff -x -d 'pauses before retries'
complete -c kinf -n '__fish_seen_subcommand_from run' -l cmd-timeout -x -d 'end a run that takes longer'
complete -c kinf -n '__fish_seen_subcommand_from run' -l fail-fast -d 'end when one is given up'
complete -c kinf -n '__fish_seen_subcommand_from run' -l drain -x -d 'how long runs may go on at the end'

complete -c kinf -n '__fish_seen_subcommand_from demo' -l explain -d 'say what has happened'
complete -c kinf -n '__fish_seen_subcommand_from demo' -l listen -x -d 'where http listens'
complete -c kinf -n '__fish_seen_subcommand_from demo' -l resync -x -d 'how often factory is reminded'
complete -c kinf -n '__fish_seen_subcommand_from demo' -l speed -x -d 'so many times as fast'

complete -c kinf -n '__fish_seen_subcommand_from sandbox' -l listen -x -d 'where to listen'
complete -c kinf -n '__fish_seen_subcommand_from sandbox' -l listen-any -d 'let other machines in'
complete -c kinf -n '__fish_seen_subcommand_from sandbox' -l tls -d 'speak TLS'
complete -c kinf -n '__fish_seen_subcommand_from sandbox' -l kubeconfig-out -r -F -d 'write a kubeconfig'
complete -c kinf -n '__fish_seen_subcommand_from sandbox' -l scenario -x -a 'nettool rollout crashloop churn quiet' -d 'play a story'
complete -c kinf -n '__fish_seen_subcommand_from sandbox' -l load -r -F -d 'begin with these objects'
complete -c kinf -n '__fish_seen_subcommand_from sandbox' -l data -x -a '(__fish_complete_directories)' -d 'keep what it holds'
complete -c kinf -n '__fish_seen_subcommand_from sandbox' -l speed -x -d 'so many times as fast'
complete -c kinf -n '__fish_seen_subcommand_from sandbox' -l token -x -d 'ask clients for this token'
complete -c kinf -n '__fish_seen_subcommand_from sandbox' -l fault -x -a 'cut reset stall truncate slow:1KBps gone expire-continue garbage error:500 too-many:429 no-bookmark-end deny:secrets random:seed=7:rate=0.2' -d 'let something go wrong'
complete -c kinf -n '__fish_seen_subcommand_from sandbox' -l relay -x -d 'stand before this server'

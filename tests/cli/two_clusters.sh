# For the cases: starts two sandboxes, `a` with the pod one and `b` with the pod two, and sets
# KUBECONFIG to both. `stop_cluster NAME` ends one.
for name in a b; do
  pod=$([ $name = a ] && echo one || echo two)
  echo "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"$pod\",\"labels\":{\"app\":\"web\"}},\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}" > $name.json
  kinf sandbox --no-controllers --kubeconfig-out $name.config --load $name.json > $name.out 2>&1 &
  eval "pid_$name=$!"
  while ! [ -s $name.out ]; do sleep 0.05; done
  sed "s/: sandbox$/: $name/" $name.config > $name.kubeconfig
done
export KUBECONFIG=$PWD/a.kubeconfig:$PWD/b.kubeconfig
stop_cluster() { eval "kill \$pid_$1; wait \$pid_$1"; }
trap 'kill $pid_a $pid_b 2>/dev/null' EXIT

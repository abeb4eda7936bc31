#!/bin/sh
# Usage: start.sh etcd|patroni|haproxy. Starts one service in a container, as the user that Debian's package created.
set -eu
configuration=/run/cluster
sh /cluster/configure.sh /cluster/cluster.env "$configuration"
as_user() {
  user=$1
  shift
  chown -R "$user" "$configuration"
  exec setpriv --reuid "$user" --regid "$user" --init-groups "$@"
}
case $1 in
  etcd)
    set -a
    . "$configuration/etcd.env"
    ETCD_DATA_DIR=/var/lib/etcd/default
    as_user etcd etcd
    ;;
  patroni) as_user postgres patroni "$configuration/patroni.yml" ;;
  # With -W, HAProxy handles SIGTERM even as the first process of a container.
  haproxy) as_user haproxy haproxy -W -db -f "$configuration/haproxy.cfg" ;;
  *)
    echo "The service must be etcd, patroni or haproxy, and not $1." >&2
    exit 1
    ;;
esac

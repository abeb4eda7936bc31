#!/bin/sh
# Usage: configure.sh SETTINGS FOLDER. Replaces the words in capitals in etcd.env, patroni.yml and haproxy.cfg by the
# values in SETTINGS (cluster.env.example lists them), and writes the files to FOLDER.
set -eu
umask 077
if [ $# -ne 2 ]; then
  echo "Usage: configure.sh SETTINGS FOLDER" >&2
  exit 1
fi
templates=$(dirname "$0")
settings=$1
folder=$2
SECRETS='SUPERUSER_PASSWORD REPLICATOR_PASSWORD REWINDER_PASSWORD'
WORDS="NODE_0 NODE_1 NODE_2 NETWORK $SECRETS"
DATA_FOLDER=/var/lib/postgresql/forgeline

fail() {
  echo "$1 Nothing was written." >&2
  exit 1
}

# Reads the lines as text, so that a file of settings cannot run commands.
read_setting() {
  sed -n "s/^$1=//p" "$settings" | tail -n 1
}

[ -r "$settings" ] || fail "$settings can't be read."
case $(read_setting NODE) in
  [012]) ;;
  *) fail "NODE in $settings must be 0, 1 or 2." ;;
esac
for word in $WORDS; do
  value=$(read_setting "$word")
  printf '%s' "$value" | grep -Eqx '[A-Za-z0-9./:-]+' ||
    fail "$word in $settings must consist of letters, digits and the characters . / : -"
done
for word in $SECRETS; do
  read_setting "$word" | grep -Eqx '[A-Za-z0-9]{16,}' ||
    fail "$word in $settings must have at least 16 letters and digits, and nothing else."
done

bin=${POSTGRESQL_BIN:-$(find /usr/lib/postgresql -mindepth 2 -maxdepth 2 -name bin 2>/dev/null | sort -V | tail -n 1)}
[ -n "$bin" ] || fail "PostgreSQL is not in /usr/lib/postgresql. Set POSTGRESQL_BIN to the folder of its programs."

node=$(read_setting NODE)
script="s|NODE_NAME|node$node|g; s|NODE_ADDRESS|$(read_setting "NODE_$node")|g"
script="$script; s|DATA_FOLDER|$DATA_FOLDER|g; s|POSTGRESQL_BIN|$bin|g"
for word in $WORDS; do
  script="$script; s|$word|$(read_setting "$word")|g"
done

# With version 3 of etcd's API, an earlier Patroni can lose acknowledged orders (see patroni.yml).
uses_old_api=false
patroni=$(patroni --version 2>/dev/null | sed 's/.* //' || true)
if [ -n "$patroni" ] && [ "$(printf '%s\n' 3.0.3 "$patroni" | sort -V | head -n 1)" != 3.0.3 ]; then
  uses_old_api=true
  script="$script; s|^etcd3:|etcd:|"
fi

mkdir -p "$folder"
for file in etcd.env patroni.yml haproxy.cfg; do
  sed "/^ *#/!{ $script; }" "$templates/$file" >"$folder/$file"
done
# etcd 3.4 and 3.5 know this setting.
if $uses_old_api; then echo "ETCD_ENABLE_V2=true" >>"$folder/etcd.env"; fi

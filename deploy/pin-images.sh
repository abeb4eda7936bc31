#!/bin/sh
# Resolves the base images to their digests and writes these to deploy/.env for the compose files of shops.
# Needs docker (or DOCKER=podman) and a network. Run it again to use newer images.
set -eu
umask 077
cd "$(dirname "$0")"
docker=${DOCKER:-docker}

# Usage: print_pinned_name NAME TAG. Prints NAME:TAG@DIGEST. An image can have digests from several repositories. Only
# the digest from NAME counts.
print_pinned_name() {
  "$docker" pull --quiet "$1:$2" >&2 || return 1
  digest=$("$docker" image inspect --format '{{range .RepoDigests}}{{println .}}{{end}}' "$1:$2" |
    sed -nE "s#^(.*/)?$1@(sha256:[0-9a-f]{64})\$#\2#p" | head -n 1)
  if [ -z "$digest" ]; then
    echo "$docker has no digest of $1:$2. Nothing was changed." >&2
    return 1
  fi
  echo "$1:$2@$digest"
}

node=$(print_pinned_name node 22-bookworm-slim)
postgres=$(print_pinned_name postgres 17-bookworm)
debian=$(print_pinned_name debian trixie-slim)

touch .env
{
  grep -vE '^(NODE_IMAGE|POSTGRES_IMAGE|DEBIAN_IMAGE)=' .env || true
  echo "NODE_IMAGE=$node"
  echo "POSTGRES_IMAGE=$postgres"
  echo "DEBIAN_IMAGE=$debian"
} >.env.new
mv .env.new .env
cat <<END
NODE_IMAGE=$node
POSTGRES_IMAGE=$postgres
DEBIAN_IMAGE=$debian
END

#!/usr/bin/env bash
# Run by the postgres image when its volume is new: a login role and a schema for each service, by their secrets.
set -euo pipefail
for name in contacts conversations organizations analytics; do
  {
    printf '\\set name %s\n\\set password %s\n' "$name" "$(<"/run/secrets/database-$name")"
    cat /etc/parley/database.sql
  } | psql -X -q -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -d "$POSTGRES_DB"
done

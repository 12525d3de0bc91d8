#!/usr/bin/env bash
# Runs once, when the database is made: a role and a schema for each service.
set -euo pipefail
sql() { psql -X -q -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -d "$POSTGRES_DB" "$@"; }
sql -c 'revoke all on database parley from public' -c 'revoke all on schema public from public'
for name in contacts conversations organizations analytics; do
  { printf '\\set name %s\n\\set password %s\n' "$name" "$(<"/run/secrets/postgres/$name")" && cat /etc/postgres/database.sql; } | sql
done

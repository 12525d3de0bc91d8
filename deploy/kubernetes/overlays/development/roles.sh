#!/usr/bin/env bash
# Runs once, when the database is made: a role and a schema for each service.
set -euo pipefail
for name in contacts conversations organizations analytics; do
  { printf '\\set name %s\n\\set password %s\n' "$name" "$(<"/run/secrets/postgres/$name")" && cat /etc/postgres/database.sql; } |
    psql -X -q -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -d "$POSTGRES_DB"
done

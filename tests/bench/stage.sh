# shellcheck shell=bash
# What is measured: a private PostgreSQL and Redis, the processes, the rows, and those that are measured against. Sourced by
# tests/bench/run.

# shellcheck disable=SC2154  # rounds, seconds, .. are run's
declare -A port admin_port
bench=$repository/tests/bench
measured=(contacts conversations organizations gateway)
fastify_directory=$state/fastify
pgbench_contacts=5 # a script

stop_all() {
  local name
  trap - ERR
  for name in nginx fastify gateway dispatcher simulator "${services[@]}" redis; do stop "$name" TERM 5; done
  stop postgres INT 30
  rm -rf "$state/postgres" "$state/redis"
}

install_fastify() {
  step "installing Fastify and pg in build/bench/fastify"
  mkdir -p "$fastify_directory"
  cp "$bench"/fastify/* "$fastify_directory/"
  if [[ -e $fastify_directory/installed ]] && cmp -s "$fastify_directory/installed" "$fastify_directory/package-lock.json"; then return 0; fi
  (cd "$fastify_directory" && npm ci --no-audit --no-fund --omit=dev >"$log_directory/npm.log" 2>&1) || {
    show_end_of "$log_directory/npm.log"
    fail "npm ci failed: see $log_directory/npm.log"
  }
  cp "$fastify_directory/package-lock.json" "$fastify_directory/installed"
}

sql() { PGPASSWORD=$(<"$secrets/database-superuser") "$postgres_programs/psql" -X -q -v ON_ERROR_STOP=1 -h 127.0.0.1 -p "${port[postgres]}" -U postgres -d parley "$@"; }

logged() {
  local what=$1
  shift
  if "$@" >"$log_directory/stage.log" 2>&1 </dev/null; then return 0; fi
  show_end_of "$log_directory/stage.log"
  fail "$what failed: see $log_directory/stage.log"
}

make_roles() {
  local name
  sql -d postgres -c 'create database parley'
  for name in "${services[@]}"; do
    sql < <(printf '\\set name %s\n\\set password %s\n' "$name" "$(<"$secrets/database-$name")" && cat "$local_scripts/database.sql")
  done
  # Whoever is measured against reads both schemas by one connection.
  sql <<END
create role bench login password '$(<"$secrets/database-bench")';
grant connect on database parley to bench;
create schema bench authorization bench;
alter role bench set search_path = contacts, conversations, bench;
END
}

migrate() { (set_environment_of "$1" && exec "$binaries/parley-$1" migrate); }

start_process() {
  (
    set_environment_of "$1"
    # The limit works as ever, and refuses nobody here.
    if [[ $1 == gateway ]]; then export PARLEY_RATE_LIMIT=10000000; fi
    if [[ $1 == dispatcher ]]; then export PARLEY_DISPATCH_RATE=0; fi # no limit
    launch "$1" "$binaries/parley-$(program_of "$1")" "$(command_of "$1")"
  )
}

seed() {
  local rows=(-v "organization=$organization" -v "contacts=$contacts")
  PGOPTIONS='-c search_path=contacts' sql "${rows[@]}" -f "$bench/contacts.sql"
  PGOPTIONS='-c search_path=conversations' sql "${rows[@]}" -f "$bench/conversations.sql"
  sql -v "each=$pgbench_contacts" <<'END'
grant usage on schema contacts, conversations to bench;
grant select on all tables in schema contacts, conversations to bench;
set search_path = contacts, bench;
-- Contacts in random order, some a row, for pgbench to read ids from.
select format('create table bench.bench_ids as select (row - 1) / %s + 1 as n, %s from (select id, row_number() over (order by md5(id::text)) as row from contact) c group by 1',
  :each, string_agg(format('max(id::text) filter (where row %% %s = %s) as id%s', :each, i % :each, i), ', ')) from generate_series(1, :each) i
\gexec
alter table bench.bench_ids add primary key (n);
grant select on bench.bench_ids to bench;
vacuum analyze bench.bench_ids;
checkpoint;
END
}

start_stage() {
  local name owner
  for name in gateway dispatcher "${services[@]}"; do
    port[$name]=$(free_port "${port[@]}" "${admin_port[@]}")
    admin_port[$name]=$(free_port "${port[@]}" "${admin_port[@]}")
  done
  for name in simulator postgres redis fastify nginx; do port[$name]=$(free_port "${port[@]}" "${admin_port[@]}"); done
  rm -rf "$secrets"
  make_secrets
  (umask 077 && make_secret database-bench random_hex)
  step "starting PostgreSQL, Redis and the processes"
  create_cluster "$state/postgres" "$secrets/database-superuser"
  start_postgres postgres "$state/postgres" "${port[postgres]}" fsync=on shared_buffers=512MB max_connections=200
  start_redis redis "$state/redis" "${port[redis]}"
  logged "making the database's roles" make_roles
  for name in contacts conversations organizations; do logged "parley-$name migrate" migrate "$name"; done
  owner=$(set_environment_of organizations && "$binaries/parley-organizations" create-owner --name Bench \
    --email bench@example.org --organization Bench </dev/null) || fail "parley-organizations create-owner failed"
  organization=$(jq -er .organizationId <<<"$owner")
  api_key=$(jq -er .apiKey <<<"$owner")
  step "seeding $contacts contacts with their conversations"
  logged "seeding" seed
  for name in "${measured[@]}"; do start_process "$name"; done
  for name in "${measured[@]}"; do wait_until "$name" 20 is_ready "$name"; done
  for name in sequential pipeline; do
    node "$bench/statements.js" "$pgbench_contacts" "$name" >"$state/$name.pgbench"
  done
}

# --- those that are measured against ---

# start_fastify PIPELINE SCHEMA: as many connections as contacts and conversations have in their read lanes, two each.
start_fastify() {
  stop fastify TERM 5
  (
    export NODE_ENV=production PORT=${port[fastify]} ORGANIZATION=$organization STATEMENTS=$bench/statements.js \
      CONNECTIONS=4 PIPELINE=$1 SCHEMA=$2
    DATABASE_URL=postgresql://bench:$(<"$secrets/database-bench")@127.0.0.1:${port[postgres]}/parley
    export DATABASE_URL
    launch fastify node "$fastify_directory/app.js"
  )
  wait_until fastify 20 call -o /dev/null "http://127.0.0.1:${port[fastify]}/"
}

# start_nginx: anew for each round, as the identity that it adds lasts a minute.
start_nginx() {
  local directory=$state/nginx
  stop nginx TERM 5
  mkdir -p "$directory"
  sed -e "s|@DIRECTORY@|$directory|g" -e "s|@PORT@|${port[nginx]}|" -e "s|@UPSTREAM@|127.0.0.1:${port[contacts]}|" \
    -e "s|@IDENTITY@|$(token contacts)|" -e "s|@USER@|$(id -un)|" "$bench/nginx.conf" >"$directory/nginx.conf"
  rm -f "$directory/access.log"
  launch nginx nginx -p "$directory" -e "$directory/error.log" -c "$directory/nginx.conf"
  wait_until nginx 10 call -o /dev/null "http://127.0.0.1:${port[nginx]}/"
}

# token SERVICE: the identity that the gateway would send to it with our requests, good for a minute.
token() { PARLEY_IDENTITY_KEY=$(private_key gateway) "$binaries/parley-bench-token" "$1" "$organization"; }
# own_token SERVICE: the one for what is for everybody.
own_token() { PARLEY_IDENTITY_KEY=$(private_key gateway) "$binaries/parley-bench-token" "$1"; }

# --- are the answers the same? ---

# same_answer TARGET: the contacts service, Fastify, the gateway and nginx; keys may be in another order with Fastify.
same_answer() {
  local target=$1 ours identity
  identity="Parley-Identity: $(token contacts)"
  ours=$(call -f -H "$identity" "http://127.0.0.1:${port[contacts]}$target")
  diff <(jq -S . <<<"$ours") <(call -f "http://127.0.0.1:${port[fastify]}$target" | jq -S .) >"$log_directory/difference.log" ||
    fail "Fastify's answer to $target is another: see $log_directory/difference.log"
  [[ $ours == "$(call -f -H "Authorization: Bearer $api_key" "http://127.0.0.1:${port[gateway]}$target")" ]] ||
    fail "the gateway's answer to $target is another"
  [[ $ours == "$(call -f "http://127.0.0.1:${port[nginx]}$target")" ]] || fail "nginx' answer to $target is another"
}

check_answers() {
  local schema pipeline n id
  step "checking that all answers are the same"
  start_nginx
  for pipeline in 0 1; do
    for schema in 0 1; do
      start_fastify "$pipeline" "$schema"
      for n in 1 2 3 4 5 6 "$contacts"; do
        id=$(printf '%012x' $((1767225600000 + n)))
        same_answer "/api/contacts/${id:0:8}-${id:8}-7003-8000-$(printf '%012x' "$n")"
      done
      same_answer /api/contacts
      same_answer '/api/contacts?skip=40&per_page=7'
    done
  done
}

# statements_of COMMAND...: those that PostgreSQL executes at least 200 times meanwhile: once a request, not now and then.
statements_of() {
  local log=$log_directory/postgres.log from
  from=$(stat -c %s "$log")
  "$@" >/dev/null
  tail -c "+$((from + 1))" "$log" | awk '
    /^[0-9]+-[0-9]+-[0-9]+ / {
      if (text != "") print text
      text = sub(/^.*LOG:  execute [^:]*: /, "") ? $0 : ""
      next
    }
    text != "" { text = text " " $0 }
    END { if (text != "") print text }' | tr -s ' \t' ' ' | sort | uniq -c | awk '$1 >= 200 { $1 = ""; print }'
}

# One request at a time: where requests come together the services ask for several contacts by one statement, which the limit
# does not.
ask_contacts() {
  local connections=1
  wrk_once 2 "${port[contacts]}" "Parley-Identity: $(token contacts)" contact "$contacts"
  wrk_once 2 "${port[contacts]}" "Parley-Identity: $(token contacts)" target /api/contacts
}
ask_limit() { limit_once 2 contact && limit_once 2 page; }

# What is sent to measure the limit is what contacts and conversations send.
check_limit() {
  step "checking that the limit is measured by the same statements"
  sql -c "alter system set log_statement = 'all'" -c 'select pg_reload_conf()' >/dev/null
  sleep 1 # each session takes the setting before its next statement
  statements_of ask_contacts >"$state/statements.ours"
  statements_of ask_limit >"$state/statements.limit"
  sql -c 'alter system reset log_statement' -c 'select pg_reload_conf()' >/dev/null
  [[ -s $state/statements.ours ]] || fail "no statements were logged"
  diff "$state/statements.ours" "$state/statements.limit" >"$log_directory/difference.log" ||
    fail "parley-bench-limit sends other statements than the services: see $log_directory/difference.log"
}

# No answer of ours may have lacked a part, or the work was not done.
check_whole() {
  local metrics lacking
  metrics=$(call -f "http://127.0.0.1:${admin_port[contacts]}/metrics")
  lacking=$(grep '^http_degraded_answers_total{' <<<"$metrics")
  if grep -qv ' 0$' <<<"$lacking"; then fail "contacts answered without conversations: $lacking"; fi
}

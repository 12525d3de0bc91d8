# shellcheck shell=bash
# A private PostgreSQL and a private Redis, each in a directory below build/, on loopback only. Sourced after
# processes.sh; deploy/local/up keeps its servers, tests delete theirs.
#
# PostgreSQL refuses to run as root. For root, both servers run as the account of the postgresql package. That account may
# have no access to the build tree (for example, a clone under /root). So each server inherits an open descriptor of its
# directory and uses it as /proc/self/fd/N, which needs no permission on the parent directories. Nothing outside build/ is
# touched.

postgres_programs=/usr/lib/postgresql/15/bin

as_server=()
if ((EUID == 0)); then as_server=(setpriv --reuid=postgres --regid=postgres --clear-groups); fi

# prepare_directory DIRECTORY: gives it to the servers' account.
prepare_directory() {
  mkdir -p "$1"
  chmod 700 "$1"
  if ((EUID == 0)); then chown postgres:postgres "$1"; fi
}

# open_directory DIRECTORY: sets `reachable` to a path that the server can use; close_directory undoes it.
open_directory() {
  reachable=$1
  if ((EUID != 0)); then return 0; fi
  exec {directory_descriptor}<"$1"
  reachable=/proc/self/fd/$directory_descriptor
}

close_directory() {
  if ((EUID == 0)); then exec {directory_descriptor}<&-; fi
}

# create_cluster DIRECTORY PASSWORD_FILE: initdb, whole or not at all.
create_cluster() {
  local directory=$1 password_file=$2 reachable directory_descriptor
  prepare_directory "$directory"
  rm -rf "$directory/data.new" "$directory/password"
  "${as_server[@]}" true || fail "account postgres is missing: install postgresql-15"
  cp "$password_file" "$directory/password"
  if ((EUID == 0)); then chown postgres:postgres "$directory/password"; fi
  open_directory "$directory"
  if ! "${as_server[@]}" env -C / "$postgres_programs/initdb" -D "$reachable/data.new" -U postgres \
    --pwfile="$reachable/password" -A scram-sha-256 -E UTF8 --locale=C.UTF-8 --no-instructions >"$log_directory/initdb.log" 2>&1 </dev/null; then
    show_end_of "$log_directory/initdb.log"
    fail "initdb failed: see $log_directory/initdb.log"
  fi
  close_directory
  rm -f "$directory/password"
  mv "$directory/data.new" "$directory/data"
}

# start_postgres NAME DIRECTORY PORT SETTING...: starts the cluster in DIRECTORY/data and returns when it is ready. After
# a crash it recovers first, which may take a while.
start_postgres() {
  local name=$1 directory=$2 number=$3 setting settings=() why deadline=$((SECONDS + 120))
  shift 3
  for setting in listen_addresses=127.0.0.1 "port=$number" unix_socket_directories= cluster_name=parley \
    logging_collector=off "$@"; do
    settings+=(-c "$setting")
  done
  launch_postgres
  until postgres_answers "$number"; do
    if is_running "$name"; then
      sleep 0.1
    elif ended_for_now; then
      note "$why: trying again"
      sleep 2
      launch_postgres
    else
      break
    fi
    if ((SECONDS > deadline)); then break; fi
  done
  wait_until "$name" 5 postgres_answers "$number"
}

postgres_answers() { "$postgres_programs/pg_isready" -q -h 127.0.0.1 -p "$1"; }

# The next two functions belong to start_postgres and use its variables.
launch_postgres() {
  local reachable directory_descriptor
  open_directory "$directory"
  launch "$name" "${as_server[@]}" env -C / "$postgres_programs/postgres" -D "$reachable/data" "${settings[@]}"
  close_directory
}

# Whether it ended for a temporary reason: a killed server or its sessions may take seconds to disappear, or an outgoing
# connection may hold the port, if the port is in the range for those.
ended_for_now() {
  local log=$log_directory/$name.log
  if grep -qE 'shared memory block|lock file .* already exists' "$log"; then
    why="the previous PostgreSQL is still ending"
  elif grep -q 'Address already in use' "$log"; then
    why="port $number is held by an outgoing connection"
  else
    return 1
  fi
}

# start_redis NAME DIRECTORY PORT: starts a cache without data of record, with bounded memory and without writes to disk.
start_redis() {
  local name=$1 directory=$2 number=$3 reachable directory_descriptor
  prepare_directory "$directory"
  open_directory "$directory"
  launch "$name" "${as_server[@]}" /usr/bin/redis-server --bind 127.0.0.1 --port "$number" --dir "$reachable" \
    --save '' --appendonly no --maxmemory 128mb --maxmemory-policy allkeys-lru
  close_directory
  wait_until "$name" 30 redis_answers "$number"
}

redis_answers() { [[ $(redis-cli -h 127.0.0.1 -p "$1" ping) == PONG ]]; }

# A clean shutdown: PostgreSQL ends its sessions and writes a checkpoint.
stop_postgres() { stop "$1" INT 60; }
stop_redis() { stop "$1" TERM 10; }

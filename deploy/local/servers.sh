# shellcheck shell=bash
# A private PostgreSQL and a private Redis, each in a directory below build/, on loopback only. Sourced after
# processes.sh; deploy/local/up keeps its servers, tests throw them away.
#
# PostgreSQL refuses to run as root, so as root both run as the account that the postgresql package made. That account may
# not be able to reach the build tree (a clone under /root, say): the servers are handed an open descriptor of their
# directory instead and know it as /proc/self/fd/N, which needs no permission on the directories above it. Nothing
# outside build/ is touched.

postgres_programs=/usr/lib/postgresql/15/bin

as_server=()
if ((EUID == 0)); then as_server=(setpriv --reuid=postgres --regid=postgres --clear-groups); fi

# prepare_directory DIRECTORY: makes it the servers' own.
prepare_directory() {
  mkdir -p "$1"
  chmod 700 "$1"
  if ((EUID == 0)); then chown postgres:postgres "$1"; fi
}

# open_directory DIRECTORY: sets `reachable` to a path by which the server reaches it; close_directory undoes it.
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

# start_postgres NAME DIRECTORY PORT SETTING...: the cluster in DIRECTORY/data, ready when this returns; after a
# crash it first recovers, which may take a while.
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

# Both belong to start_postgres and use its variables.
launch_postgres() {
  local reachable directory_descriptor
  open_directory "$directory"
  launch "$name" "${as_server[@]}" env -C / "$postgres_programs/postgres" -D "$reachable/data" "${settings[@]}"
  close_directory
}

# Whether it ended for a reason that passes: a server that was killed, or its sessions, may take seconds to be gone; and
# where the port lies in the range for outgoing connections, one of those may hold it.
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

# start_redis NAME DIRECTORY PORT: a cache that holds nothing of record; bounded, and nothing is written to disk.
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

# An orderly end: PostgreSQL ends its sessions and writes a checkpoint.
stop_postgres() { stop "$1" INT 60; }
stop_redis() { stop "$1" TERM 10; }

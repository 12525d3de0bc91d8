# shellcheck shell=bash
# Shared by up, down, demo, calls and tests/run: paths, ports, messages, and the account that they run as.
# Sourced, never run.

set -euo pipefail -E
unset "${!PG@}" # otherwise libpq would use PGHOST, PGSERVICE etc. and reach another server

# shellcheck disable=SC2034  # used by those who source this file
{
  repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
  local_scripts=$repository/deploy/local
  state=$(realpath -ms "${PARLEY_STATE:-$repository/build/local}")
  services=(contacts conversations organizations analytics)
  binaries=${PARLEY_BINARIES:-$repository/build/release/bin}
}

# --- messages: progress goes to stdout, the single line with the reason of a failure to stderr ---

program=${0##*/}
already_reported=99

step() { printf '==> %s\n' "$*"; }
note() { printf '    %s\n' "$*"; }

fail() {
  printf '%s: %s\n' "$program" "$*" >&2
  # In a subshell: tell the parent shell that the line was printed.
  if ((BASH_SUBSHELL > 0)); then exit "$already_reported"; fi
  exit 1
}

unexpected() {
  local status=$1 line=$2 command=$3
  if ((status != already_reported)); then
    printf '%s: line %s: %s: status %s\n' "$program" "$line" "$command" "$status" >&2
  fi
  if ((BASH_SUBSHELL > 0)); then exit "$already_reported"; fi
  exit 1
}
trap 'unexpected "$?" "$LINENO" "${BASH_COMMAND%%$'"'\\n'"'*}"' ERR

# `down --purge` deletes it.
[[ $state == "$repository"/build/?* ]] || fail "PARLEY_STATE: $state is not in $repository/build, where everything lives"

# show_end_of FILE [NAME]: prints the last lines of a log, indented, so that the reason of a failure is visible.
show_end_of() {
  [[ -s $1 ]] || return 0
  note "the end of ${2:-$1}:"
  tail -n 15 "$1" | sed 's/^/    | /'
}

# --- ports ---

declare -A port admin_port

# read_port VARIABLE DEFAULT: the port from the environment, or the default plus PARLEY_PORT_OFFSET.
read_port() {
  local variable=$1 default=$2 value
  value=${!variable:-$((default + offset))}
  if ! [[ $value =~ ^[1-9][0-9]{0,4}$ ]] || ((value > 65535)); then fail "$variable: $value is not a port"; fi
  printf '%s' "$value"
}

read_ports() {
  local name number offset=${PARLEY_PORT_OFFSET:-0}
  [[ $offset =~ ^[0-9]{1,5}$ ]] || fail "PARLEY_PORT_OFFSET: $offset is not a number from 0 up"
  offset=$((10#$offset))
  number=0
  for name in gateway "${services[@]}"; do
    port[$name]=$(read_port "PARLEY_${name^^}_PORT" $((8080 + number)))
    admin_port[$name]=$(read_port "PARLEY_${name^^}_ADMIN_PORT" $((9080 + number)))
    number=$((number + 1))
  done
  admin_port[dispatcher]=$(read_port PARLEY_DISPATCHER_ADMIN_PORT 9085)
  port[simulator]=$(read_port PARLEY_SIMULATOR_PORT 8090)
  port[postgres]=$(read_port PARLEY_POSTGRES_PORT 15432)
  port[redis]=$(read_port PARLEY_REDIS_PORT 16379)
  local -A taken=()
  for name in "${!port[@]}" dispatcher; do
    for number in "${port[$name]:-}" "${admin_port[$name]:-}"; do
      [[ -n $number ]] || continue
      [[ -z ${taken[$number]:-} ]] || fail "port $number is given to both ${taken[$number]} and $name"
      taken[$number]=$name
    done
  done
}

# --- accounts ---

# For root in a clone that a user owns (`sudo deploy/local/up`): packages are installed as root, everything else runs as the
# clone's owner. So the owner keeps the build tree, and a later run without sudo works. If the owner has no account here, or
# cannot write (a clone mounted into a container), the script stays root. Call with the script's own arguments.
become_owner() {
  local owner name home directory self as_owner
  if ((EUID != 0)); then return 0; fi
  owner=$(stat -c %u "$repository")
  if ((owner == 0)) || ! getent passwd "$owner" >/dev/null; then return 0; fi
  IFS=: read -r name _ _ _ _ home _ < <(getent passwd "$owner")
  as_owner=(setpriv "--reuid=$owner" "--regid=$(id -g "$owner")" --init-groups)
  for directory in "$repository" "$repository/build" "$state"; do
    if [[ -e $directory ]] && ! "${as_owner[@]}" test -w "$directory" 2>/dev/null; then return 0; fi
  done
  self=$(readlink -f "$0")
  exec "${as_owner[@]}" env "HOME=$home" "USER=$name" "LOGNAME=$name" "$self" "$@"
}

# Ends with one line if another user owns the build tree, instead of failing half way.
need_own_tree() {
  local directory
  for directory in "$repository/build" "$@"; do
    while [[ ! -e $directory ]]; do directory=$(dirname "$directory"); done
    if [[ ! -w $directory ]]; then
      fail "$directory belongs to $(stat -c %U "$directory"): run this as that user, or with sudo"
    fi
  done
}

# take_lock FILE MESSAGE: lets one run at a time; shows the message while it waits. Processes started later must not inherit
# the lock.
locks=()
take_lock() {
  local file=$1 message=$2 descriptor
  mkdir -p "$(dirname "$file")"
  exec {descriptor}>"$file"
  if ! flock -n "$descriptor"; then
    note "$message"
    flock "$descriptor"
  fi
  locks+=("$descriptor")
}

release_lock() {
  local descriptor=${locks[-1]}
  exec {descriptor}>&-
  unset 'locks[-1]'
}

# A call to one of our own processes: without proxy and ~/.curlrc, with a deadline.
call() { curl -q --noproxy '*' -sS -m 5 "$@"; }

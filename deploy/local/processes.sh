# shellcheck shell=bash
# Starting processes in the background, finding them again and stopping exactly those. Sourced after env.sh; the caller
# sets run_directory and log_directory.
#
# run/NAME.pid holds "PID START BOOT FOLDER": a process is only taken for ours while its kernel start time and the machine's
# boot are those recorded, so a recycled process id is never signalled, and the folder is the same one, not a copy of it.
# run/NAME.digest holds what it was started from (binary and settings), so that a changed one is noticed.

run_directory=${run_directory:-}
log_directory=${log_directory:-}

# The kernel's start time of a process, in ticks since boot; nothing when there is no such process or only its remains.
start_time() {
  local stat fields
  { read -r stat <"/proc/$1/stat"; } 2>/dev/null || return 0
  read -ra fields <<<"${stat##*) }" # the command's name may hold blanks and brackets
  if [[ ${fields[0]} != [ZX] ]]; then printf '%s' "${fields[19]}"; fi
}

boot() { cat /proc/sys/kernel/random/boot_id; }
folder() { stat -c %d:%i "$run_directory"; }

# Prints the process id of NAME while it runs.
pid_of() {
  local process started booted folder
  [[ -s $run_directory/$1.pid ]] || return 0
  read -r process started booted folder <"$run_directory/$1.pid" || return 0
  if [[ $booted == "$(boot)" && $folder == "$(folder)" && $started == "$(start_time "$process")" ]]; then printf '%s' "$process"; fi
}

is_running() { [[ -n $(pid_of "$1") ]]; }

# free_port [TAKEN...]: a port that nobody listens on, none of those, and outside the range that the kernel gives to outgoing
# connections.
# shellcheck disable=SC2120 # not all callers have such
free_port() {
  local number
  while number=$((20000 + RANDOM % 12000)) && [[ -n $(ss -Hltn "sport = :$number") || " $* " == *" $number "* ]]; do :; done
  printf '%s' "$number"
}

# Names of everything that was started, whether it still runs or not.
started_names() {
  local file
  for file in "$run_directory"/*.pid; do
    if [[ -e $file ]]; then basename "$file" .pid; fi
  done
}

# Closes what a background process must not keep open: our locks, and whatever our caller left open for us (a lock or a
# pipe of a script around this one). A server's directory descriptor stays.
close_inherited() {
  local path descriptor
  for path in "/proc/$BASHPID/fd"/*; do
    descriptor=${path##*/}
    if ((descriptor > 2 && descriptor != ${directory_descriptor:-0})); then exec {descriptor}>&-; fi
  done
}

# launch NAME COMMAND...: in a session of its own, output to log/NAME.log (the run before stays as NAME.log.1). The
# process writes its own record before it becomes the command: it cannot run unrecorded, however this script ends.
launch() {
  local name=$1 log=$log_directory/$1.log
  shift
  mkdir -p "$run_directory" "$log_directory"
  if [[ -e $log ]]; then mv -f "$log" "$log.1"; fi
  rm -f "$run_directory/$name.digest"
  (
    trap - ERR EXIT INT TERM HUP
    close_inherited
    self=$BASHPID # inside $( ) it would be another
    printf '%s %s %s %s\n' "$self" "$(start_time "$self")" "$(boot)" "$(folder)" >"$run_directory/$name.pid"
    exec setsid "$@"
  ) </dev/null >"$log" 2>&1 &
  disown $! # or the shell would report its end in its own words
  # The record is complete once this sees it; the caller may ask for the process at once.
  until [[ -s $run_directory/$name.pid && $(<"$run_directory/$name.pid") == "$! "* ]] || ! kill -0 $! 2>/dev/null; do
    sleep 0.01
  done
}

# stop NAME SIGNAL SECONDS: asks, waits, and past the deadline kills. Nothing happens to a process that is not ours.
stop() {
  local name=$1 signal=$2 deadline=$((SECONDS + $3)) process
  process=$(pid_of "$name")
  if [[ -n $process ]]; then
    kill "-$signal" "$process" 2>/dev/null || ! is_running "$name" ||
      fail "$name (process $process) belongs to $(stat -c %U "/proc/$process"): run this as that user, or with sudo"
    while is_running "$name"; do
      if ((SECONDS > deadline)); then
        note "$name did not stop within $3 s: killed"
        kill -KILL "$process" 2>/dev/null || true
        deadline=$((SECONDS + 5))
      fi
      sleep 0.05
    done
  fi
  rm -f "$run_directory/$name.pid" "$run_directory/$name.digest"
}

# wait_until NAME SECONDS COMMAND...: until the command succeeds. Fails, with the log's end, when the process ends first
# or the deadline passes; a process that never became ready is stopped.
wait_until() {
  local name=$1 deadline=$((SECONDS + $2)) seconds=$2
  shift 2
  until "$@" >/dev/null 2>&1; do
    if ! is_running "$name"; then
      show_end_of "$log_directory/$name.log"
      rm -f "$run_directory/$name.pid"
      fail "$name ended while starting: see $log_directory/$name.log"
    fi
    if ((SECONDS >= deadline)); then
      show_end_of "$log_directory/$name.log"
      stop "$name" TERM 5
      fail "$name was not ready within $seconds s: see $log_directory/$name.log"
    fi
    sleep 0.05
  done
}

# Prints who listens on a loopback port as "PID/NAME", or nothing when it is free.
holder_of() {
  local line
  line=$(ss -Hltnp "sport = :$1" | awk '$4 ~ /^(127\.0\.0\.1|0\.0\.0\.0|\*):[0-9]+$/ { print; exit }')
  if [[ $line =~ \(\"([^\"]+)\",pid=([0-9]+) ]]; then
    printf '%s/%s' "${BASH_REMATCH[2]}" "${BASH_REMATCH[1]}"
  elif [[ -n $line ]]; then
    printf "another user's process"
  fi
}

# Fails with one line when a port that NAME needs is held by a process that is none of ours.
check_port() {
  local number=$1 variable=$2 holder name
  holder=$(holder_of "$number")
  if [[ -z $holder ]]; then return 0; fi
  for name in $(started_names); do
    if [[ ${holder%%/*} == "$(pid_of "$name")" ]]; then return 0; fi
  done
  fail "port $number is taken by $holder; set $variable (or PARLEY_PORT_OFFSET, which moves all ports)"
}

# shellcheck shell=bash
# Starts processes in the background, finds them again, and stops exactly those. Sourced after env.sh; the caller sets
# run_directory and log_directory.
#
# run/NAME.pid holds "PID START BOOT FOLDER". A process counts as ours only if its kernel start time, the machine's boot and
# the folder are those recorded. So neither a reused process id nor the process of a copied folder gets a signal.
# run/NAME.digest holds the hash of its binary and settings, so that a change is noticed.

run_directory=${run_directory:-}
log_directory=${log_directory:-}

# The kernel's start time of a process, in ticks since boot; nothing if the process does not exist or is a zombie.
start_time() {
  local stat fields
  { read -r stat <"/proc/$1/stat"; } 2>/dev/null || return 0
  read -ra fields <<<"${stat##*) }" # the command's name may contain blanks and brackets
  if [[ ${fields[0]} != [ZX] ]]; then printf '%s' "${fields[19]}"; fi
}

boot() { cat /proc/sys/kernel/random/boot_id; }
folder() { stat -c %d:%i "$run_directory"; }

# Prints the process id of NAME if it runs.
pid_of() {
  local process started booted folder
  [[ -s $run_directory/$1.pid ]] || return 0
  read -r process started booted folder <"$run_directory/$1.pid" || return 0
  if [[ $booted == "$(boot)" && $folder == "$(folder)" && $started == "$(start_time "$process")" ]]; then printf '%s' "$process"; fi
}

is_running() { [[ -n $(pid_of "$1") ]]; }

# free_port [TAKEN...]: a port without a listener, other than TAKEN, outside the kernel's range for outgoing connections, that of
# the tests' processes (tests/support/loopback.cpp), and the ports of env.sh. Another script begins elsewhere: it may not listen yet.
# shellcheck disable=SC2120 # not all callers have such
free_port() {
  local number tries=0
  while number=$((12000 + ($$ * 16 + tries++) % 3200)) && [[ -n $(ss -Hltn "sport = :$number") || " $* " == *" $number "* ]]; do :; done
  printf '%s' "$number"
}

# The names of all processes that were started, running or not.
started_names() {
  local file
  for file in "$run_directory"/*.pid; do
    if [[ -e $file ]]; then basename "$file" .pid; fi
  done
}

# Closes the descriptors that a background process must not inherit: our locks, and those of our caller (a lock or a pipe of
# a script around this one). A server's directory descriptor stays open.
close_inherited() {
  local path descriptor
  for path in "/proc/$BASHPID/fd"/*; do
    descriptor=${path##*/}
    if ((descriptor > 2 && descriptor != ${directory_descriptor:-0})); then exec {descriptor}>&-; fi
  done
}

# launch NAME COMMAND...: starts it in its own session, with output to log/NAME.log (the previous log is NAME.log.1). The
# process writes its own record before it executes the command, so it is always recorded, however this script ends.
launch() {
  local name=$1 log=$log_directory/$1.log
  shift
  mkdir -p "$run_directory" "$log_directory"
  if [[ -e $log ]]; then mv -f "$log" "$log.1"; fi
  rm -f "$run_directory/$name.digest"
  (
    trap - ERR EXIT INT TERM HUP
    close_inherited
    self=$BASHPID # inside $( ) it would be another process
    printf '%s %s %s %s\n' "$self" "$(start_time "$self")" "$(boot)" "$(folder)" >"$run_directory/$name.pid"
    exec setsid "$@"
  ) </dev/null >"$log" 2>&1 &
  disown $! # otherwise the shell would report its end
  # Wait for the complete record: the caller may look for the process at once.
  until [[ -s $run_directory/$name.pid && $(<"$run_directory/$name.pid") == "$! "* ]] || ! kill -0 $! 2>/dev/null; do
    sleep 0.01
  done
}

# stop NAME SIGNAL SECONDS: sends the signal, waits, and kills the process after the deadline. Touches only our processes.
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

# wait_until NAME SECONDS COMMAND...: waits until the command succeeds. Fails, with the end of the log, if the process ends
# first or the deadline passes; then it stops the process.
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

# Prints the listener of a loopback port as "PID/NAME", or nothing if the port is free.
holder_of() {
  local line
  line=$(ss -Hltnp "sport = :$1" | awk '$4 ~ /^(127\.0\.0\.1|0\.0\.0\.0|\*):[0-9]+$/ { print; exit }')
  if [[ $line =~ \(\"([^\"]+)\",pid=([0-9]+) ]]; then
    printf '%s/%s' "${BASH_REMATCH[2]}" "${BASH_REMATCH[1]}"
  elif [[ -n $line ]]; then
    printf "another user's process"
  fi
}

# Fails with one line if a process that is not ours holds a port that NAME needs.
check_port() {
  local number=$1 variable=$2 holder name
  holder=$(holder_of "$number")
  if [[ -z $holder ]]; then return 0; fi
  for name in $(started_names); do
    if [[ ${holder%%/*} == "$(pid_of "$name")" ]]; then return 0; fi
  done
  fail "port $number is taken by $holder; set $variable (or PARLEY_PORT_OFFSET, which moves all ports)"
}

# shellcheck shell=bash
# Measuring, and what comes of it. Sourced by tests/bench/run. Each measurement is one JSON object: rate (a second), p50 and
# p99 (ms), cpu (microseconds of each process a request).

# shellcheck disable=SC2154  # rounds, seconds, .. are run's
ticks_a_second=$(getconf CLK_TCK)

# Processor time that a process of ours and its children, also those that have ended, have used, in ticks.
ticks_of() {
  local process fields total=0
  process=$(pid_of "$1")
  for process in $process $(cat "/proc/$process/task/$process/children" 2>/dev/null); do
    { read -r fields <"/proc/$process/stat"; } 2>/dev/null || continue
    read -ra fields <<<"${fields##*) }"
    total=$((total + fields[11] + fields[12] + fields[13] + fields[14]))
  done
  printf '%s' "$total"
}

# with_cpu "NAME.." SECONDS COMMAND: the command's JSON and what the named processes used meanwhile.
with_cpu() {
  local names=$1 duration=$2 name result before=() after=() i=0
  shift 2
  for name in $names; do before+=("$(ticks_of "$name")"); done
  result=$("$@")
  for name in $names; do after+=("$(ticks_of "$name")"); done
  for name in $names; do
    result=$(jq -c --arg name "$name" --argjson ticks $((after[i] - before[i])) --argjson hertz "$ticks_a_second" --argjson seconds "$duration" \
      '.cpu[$name] = ($ticks / $hertz * 1e6 / (.rate * $seconds) * 10 | round / 10)' <<<"$result")
    i=$((i + 1))
  done
  printf '%s\n' "$result"
}

# wrk_once SECONDS PORT HEADER ARGUMENT...
wrk_once() {
  local duration=$1 number=$2 header=$3
  shift 3
  wrk -t1 -c "$connections" -d "${duration}s" --timeout 10s -H "$header" -s "$bench/wrk.lua" "http://127.0.0.1:$number" -- "$@" |
    sed -n 's/^RESULT //p'
}

# load "NAME.." PORT HEADER ARGUMENT...: warmed up, then measured.
load() {
  local names=$1 result
  shift
  wrk_once "$warm_up" "$@" >/dev/null
  result=$(with_cpu "$names" "$seconds" wrk_once "$seconds" "$@")
  if (($(jq '.broken + (if .rate > 0 then 0 else 1 end)' <<<"$result") > 0)); then fail "wrk: requests failed: $result"; fi
  if [[ $* != */none && $(jq .refused <<<"$result") != 0 ]]; then fail "wrk: requests were refused: $result"; fi
  printf '%s' "$result"
}

measure_contacts() { load "contacts conversations postgres" "${port[contacts]}" "Parley-Identity: $(token contacts)" "$@"; }
measure_fastify() { load "fastify postgres" "${port[fastify]}" 'Accept: */*' "$@"; }
measure_gateway() { load "gateway contacts redis organizations" "${port[gateway]}" "Authorization: Bearer $api_key" "$@"; }
measure_nginx() {
  start_nginx
  load "nginx contacts" "${port[nginx]}" "Authorization: Bearer $api_key" "$@"
}

# limit_once SECONDS contact|page
limit_once() {
  CONTACTS_DATABASE_URL=$(database_url contacts) CONVERSATIONS_DATABASE_URL=$(database_url conversations) \
    "$binaries/parley-bench-limit" "$2" "$organization" "$contacts" "$1" || fail "parley-bench-limit failed"
}

measure_limit() {
  limit_once "$warm_up" "$1" >/dev/null
  with_cpu postgres "$seconds" limit_once "$seconds" "$1"
}

# pgbench_once SECONDS sequential|pipeline: one run, as its sessions prepare their statements first: the figure is of what
# comes after the warm-up. The statement that reads the ids counts as one of theirs.
pgbench_once() {
  local output
  output=$(PGPASSWORD=$(<"$secrets/database-bench") PGOPTIONS='-c plan_cache_mode=force_generic_plan' \
    "$postgres_programs/pgbench" -n -M prepared -c 8 -j 2 -P 1 -T "$1" \
    -D "organization=$organization" -D "groups=$((contacts / pgbench_contacts))" -f "$state/$2.pgbench" \
    -h 127.0.0.1 -p "${port[postgres]}" -U bench parley 2>&1) || fail "pgbench failed: $output"
  awk -v contacts="$pgbench_contacts" -v after=$((warm_up + 1)) \
    '/^progress: / && $2 > after + 0.5 { sum += $4; ++count }
     END { printf "{\"rate\":%.1f}\n", sum / count * (4 * contacts + 1) / 4 }' <<<"$output"
}

measure_pgbench() {
  local duration=$((warm_up + 1 + seconds))
  with_cpu postgres "$duration" pgbench_once "$duration" "$1"
}

# Memory right after the load, in MiB. `resident` counts a page that several processes share for each of them, though the
# machine holds it once; `shared` divides it among them (proportional set size).
memory_of() {
  local name process resident=0 shared=0
  for name in "$@"; do
    process=$(pid_of "$name")
    resident=$((resident + $(awk '/^VmRSS/ { print $2 }' "/proc/$process/status")))
    shared=$((shared + $(awk '/^Pss:/ { print $2 }' "/proc/$process/smaps_rollup")))
  done
  jq -nc --argjson resident "$resident" --argjson shared "$shared" '{resident: ($resident / 1024), shared: ($shared / 1024)}'
}

# record ROW WHO MEASUREMENT. None: what should have made it has said why.
record() {
  if [[ -z $3 ]]; then exit 1; fi
  jq -c --arg row "$1" --arg who "$2" '{row: $row, who: $who} + .' <<<"$3" >>"$results"
}

# choose_fastify NAME ARGUMENT...: leaves Fastify running as it was fastest for this load.
choose_fastify() {
  local name=$1 pipeline schema best='' rate most=0 result
  shift
  step "choosing how Fastify is fastest ($name)"
  for pipeline in 1 0; do
    for schema in 1 0; do
      start_fastify "$pipeline" "$schema"
      wrk_once "$warm_up" "${port[fastify]}" 'Accept: */*' "$@" >/dev/null
      result=$(wrk_once 2 "${port[fastify]}" 'Accept: */*' "$@")
      rate=$(jq '.rate | floor' <<<"$result")
      note "pipeline=$pipeline schema=$schema: $rate/s"
      if ((rate > most)); then most=$rate best="$pipeline $schema"; fi
    done
  done
  # shellcheck disable=SC2086  # two words
  start_fastify $best
  record "fastify $name" chosen "$(jq -nc --arg pipeline "${best% *}" --arg schema "${best#* }" '{pipeline: $pipeline, schema: $schema}')"
}

processor() { awk -F': ' '/^model name/ { print $2; exit }' /proc/cpuinfo; }

# Appends this run's rows to the history, a line of JSON.
remember() {
  local revision
  revision=$(git -C "$repository" describe --always --dirty --abbrev=10 --exclude '*' 2>/dev/null || printf 'unknown')
  mkdir -p "$(dirname "$history")"
  jq -c --arg machine "$(processor)" --argjson cores "$(nproc)" --arg date "$(date -u +%FT%TZ)" --arg revision "$revision" \
    --arg run "$extent" '{machine: $machine, cores: $cores, date: $date, revision: $revision, run: $run,
      rows: [.rows[] | {name, ours, theirs, ratio, goal, met}]}' >>"$history"
}

report() {
  local rows
  rows=$(jq -s --argjson many "$many" --argjson few "$few" --argjson messages "$messages" -f "$bench/report.jq" "$results")
  if [[ -n $json ]]; then jq '{rows: [.rows[] | {name, ours, theirs, ratio, goal, met}]}' <<<"$rows" >"$json"; fi
  remember <<<"$rows"
  printf '\n'
  jq -r '.rows[] | [.name, .ours, .theirs, .ratio, .goal_text, (if .met then "yes" else "NO" end)] | @tsv' <<<"$rows" |
    awk -F'\t' 'BEGIN { printf "%-52s %10s %10s %7s %7s  %s\n", "", "ours", "theirs", "ratio", "goal", "met" }
                { printf "%-52s %10s %10s %7s %7s  %s\n", $1, $2, $3, $4, $5, $6 }'
  printf '\nMethod: %s rounds of ours, theirs, ours, theirs ..; each warmed up for %s s and measured for %s s; ratio = median of the rounds'\'' ratios.\n' \
    "$rounds" "$warm_up" "$seconds"
  printf 'All share %s processors with PostgreSQL and the load generator, nothing is pinned: %s.\n' "$(nproc)" "$(processor)"
  jq -r '.notes[] | "- " + .' <<<"$rows"
}

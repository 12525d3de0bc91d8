# shellcheck shell=bash
# GET one contact through the gateway at half of the rate that it reaches, by a load that does not wait for answers: alone, and
# beside work of another organization that takes long. Sourced by tests/bench/run.

# shellcheck disable=SC2154  # rounds, seconds, .. are run's

measure_steady() {
  local result
  result=$(AUTHORIZATION="Bearer $api_key" "$binaries/parley-bench-steady" "${port[gateway]}" "$1" "$seconds" "$contacts") ||
    fail "parley-bench-steady failed"
  if (($(jq .failures <<<"$result") > 0)); then fail "parley-bench-steady: requests failed: $result"; fi
  printf '%s' "$result"
}

# --- the work beside: each prints 200 for an answer as it should be ---

ask_large() {
  curl -q --noproxy '*' -sS -o /dev/null -w '%{http_code}\n' -H "Authorization: Bearer $large_key" "$@" || true
}
beside_nothing() { sleep 0.1 && printf '200\n'; }
# Cut off where the measurement ends; one that begins right after another may be refused (429).
beside_export() { ask_large --max-time $((seconds + 2)) "http://127.0.0.1:${port[gateway]}/api/contacts/export" | sed 's/^429$/200/'; }
# Sorts the eleventh part of all contacts.
beside_search() { ask_large "http://127.0.0.1:${port[gateway]}/api/contacts?search=muller&sort_by=name"; }
# One that takes as long as the measurement, and whose state is asked for rarely: new processes of a shell disturb more than it.
beside_import() {
  local after pause=2 count=$((10000 * (seconds + 2)))
  after=$(sql -At -c "select count(*) from contacts.contact where organization_id = '$importers'")
  csv_rows "$count" "" "$after" >"$state/beside.csv"
  import_rows "$importers" "$state/beside.csv" "$count" >/dev/null && printf '200\n'
}

# beside WORK COMMAND...: the command's output; meanwhile the work is repeated. For a subshell, whose end ends the work.
beside() {
  local work=$1 background
  shift
  rm -f "$state/enough"
  trap 'touch "$state/enough"' EXIT
  until [[ -e $state/enough ]]; do "$work" || exit; done >"$state/beside" &
  background=$!
  "$@"
  touch "$state/enough"
  wait "$background" || fail "$work failed"
  if [[ $(sort -u "$state/beside") != 200 ]]; then fail "$work was answered $(sort "$state/beside" | uniq -c)"; fi
}

steady_rounds() {
  local round rate work importers
  importers=$(new_organization importers)
  for ((round = 1; round <= rounds; round++)); do
    rate=$(measure_gateway contact "$contacts" | jq '.rate / 2 | floor')
    for work in nothing export search import; do
      step "GET one contact $rate times a second beside $work, round $round of $rounds"
      record steady "$work" "$(beside "beside_$work" measure_steady "$rate")"
    done
  done
}

# shellcheck shell=bash
# Contacts that eight clients of one organization create, one a request, in no list and all in the same list. Sourced by
# tests/bench/run.

# shellcheck disable=SC2154  # rounds, seconds, .. are run's

# wrk_creates SECONDS [LIST]
wrk_creates() {
  local duration=$1 after
  shift
  after=$(sql -At -c "select coalesce(max(right(phone, 8)::int), 0) + 100 from contacts.contact where organization_id = '$creators'")
  wrk -t1 -c8 -d "${duration}s" --timeout 10s -H "Parley-Identity: $(organization=$creators token contacts)" -s "$bench/creates.lua" \
    "http://127.0.0.1:${port[contacts]}" -- "$after" "$@" | sed -n 's/^RESULT //p'
}

measure_creates() {
  local result
  wrk_creates "$warm_up" "$@" >/dev/null
  result=$(with_cpu "contacts postgres" "$seconds" wrk_creates "$seconds" "$@")
  if (($(jq '.broken + .refused + (if .rate > 0 then 0 else 1 end)' <<<"$result") > 0)); then fail "contacts were not created: $result"; fi
  printf '%s' "$result"
}

create_rounds() {
  local round list creators
  creators=$(new_organization creators)
  list=$(call -f -X POST -H "Parley-Identity: $(organization=$creators token contacts)" -H 'Content-Type: application/json' -d '{"name":"bench"}' \
    "http://127.0.0.1:${port[contacts]}/api/lists" | jq -er .list.uniqueId) || fail "a list could not be made"
  for ((round = 1; round <= rounds; round++)); do
    step "contacts created, round $round of $rounds"
    record creates "in no list" "$(measure_creates)"
    record creates "in one list" "$(measure_creates "$list")"
  done
  sql -c 'vacuum analyze contacts.contact' -c checkpoint
}

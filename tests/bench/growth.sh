# shellcheck shell=bash
# Every query that is documented, of an organization after years: 1,000,000 contacts, 480,000 conversations with 5,000,000
# messages, a campaign to all, 300,000 entries of its audit. Sourced by tests/bench/run.

# shellcheck disable=SC2154  # many, results, .. are run's

seed_growth() {
  local rows=(-v "organization=$1" -v "contacts=$many" -v "entries=$((many * 3 / 10))")
  PGOPTIONS='-c search_path=contacts' sql "${rows[@]}" -f "$bench/contacts.sql"
  PGOPTIONS='-c search_path=contacts' sql "${rows[@]}" -f "$bench/growth_segments.sql"
  PGOPTIONS='-c search_path=conversations' sql "${rows[@]}" -v "contacts=$((many * 8 / 25))" -f "$bench/conversations.sql"
  PGOPTIONS='-c search_path=conversations' sql "${rows[@]}" -f "$bench/growth.sql"
  PGOPTIONS='-c search_path=organizations' sql "${rows[@]}" -f "$bench/growth_audit.sql"
  sql -c checkpoint
}

# Each operation that reads a collection, and each of its parameters, is in growth.queries.
check_queries() {
  local lacking
  lacking=$(call -f -H "Authorization: Bearer $api_key" "http://127.0.0.1:${port[gateway]}/openapi.json" | node "$bench/growth.js" --lacking) ||
    fail "growth.js failed"
  if [[ -n $lacking ]]; then fail "growth.queries lacks: $lacking"; fi
}

growth_round() {
  local owner organization key refused
  check_queries
  owner=$(new_owner growth)
  organization=$(jq -er .organizationId <<<"$owner")
  key=$(jq -er .apiKey <<<"$owner")
  step "an organization with $many contacts: every query"
  logged "seeding" seed_growth "$organization"
  node "$bench/growth.js" "http://127.0.0.1:${port[gateway]}" "$key" "$many" >"$state/growth.jsonl" || fail "growth.js failed"
  refused=$(jq -r 'select(.status != 200) | "\(.status) \(.target)"' "$state/growth.jsonl")
  if [[ -n $refused ]]; then fail "refused: $refused"; fi
  jq -c '{row: "growth", who: "ours"} + .' "$state/growth.jsonl" >>"$results"
  bulk_round "$key"
}

# shellcheck shell=bash
# What members ask of all contacts of growth_round()'s organization: how many a draft would be sent to, and a tag for each.
# Sourced by tests/bench/run.

# shellcheck disable=SC2154  # many, results, .. are run's

# The answer of the API to a member with the key $1.
as_member() {
  local key=$1 target=$2
  shift 2
  call -f -H "Authorization: Bearer $key" -H 'Content-Type: application/json' "$@" "http://127.0.0.1:${port[gateway]}$target"
}

# The median time of five exact counts of a draft's recipients, a list's contacts and all but those of another (ms).
measure_count() {
  local key=$1 lists segments id counted times=()
  lists=$(as_member "$key" '/api/lists?per_page=1' | jq -ce '[.lists[].uniqueId]') || return 1
  segments=$(as_member "$key" '/api/segments?search=3' | jq -ce '[.segments[0].uniqueId]') || return 1
  id=$(as_member "$key" /api/campaigns -d "{\"name\":\"count\",\"message\":{\"type\":\"Text\",\"text\":\"Hello {{name|there}}\"},
    \"listIds\":$lists,\"segmentIds\":$segments}" | jq -er .campaign.uniqueId) || return 1
  for _ in {1..5}; do
    counted=$(as_member "$key" "/api/campaigns/$id/audience" -w '\n%{time_total}\n') || return 1
    head -n 1 <<<"$counted" | jq -e --argjson least "$((many / 2))" '.audience.recipients > $least' >"$state/counted.log" || return 1
    times+=("$(tail -n 1 <<<"$counted")")
  done
  jq -nc '[$ARGS.positional[] * 1000] | sort | {p50: .[2]}' --jsonargs "${times[@]}"
}

# A tag for each contact: contacts a second.
measure_bulk() {
  local key=$1 id change deadline=$((SECONDS + 1800))
  id=$(as_member "$key" /api/contacts/bulk-changes -d "{\"contacts\":{},\"expected\":$many,\"action\":{\"type\":\"addTags\",\"tags\":[\"bench\"]}}" |
    jq -er .bulkChange.uniqueId) || return 1
  until change=$(as_member "$key" "/api/contacts/bulk-changes/$id") && jq -e .bulkChange.finishedAt >"$state/changed.log" <<<"$change"; do
    ((SECONDS < deadline)) || return 1
    sleep 0.5
  done
  jq -ce --argjson count "$many" 'def seconds: (.[:19] + "Z" | fromdate) + (.[20:23] | tonumber) / 1000;
    .bulkChange | select(.changed == $count) | {rate: ($count / ((.finishedAt | seconds) - (.createdAt | seconds)))}' <<<"$change"
}

bulk_round() {
  local key=$1 measured
  step "how many a draft would be sent to, and a tag for each of $many contacts"
  measured=$(measure_count "$key") || fail "recipients could not be counted"
  record count ours "$measured"
  measured=$(measure_bulk "$key") || fail "contacts could not be changed"
  record bulk ours "$measured"
}

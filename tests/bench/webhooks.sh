# shellcheck shell=bash
# Webhooks: taken in durably, against pgbench inserting the same rows; and how long one takes to be a message that can be
# read. Sourced by tests/bench/run.

# shellcheck disable=SC2154  # rounds, seconds, .. are run's
webhook_bodies=2000

make_webhooks() {
  mkdir -p "$state/webhooks"
  node "$bench/webhooks.js" bodies "$(<"$secrets/channel-app-secret")" "$phone_number_id" "$webhook_bodies" "$state/webhooks"
  sql -c 'create table bench.inbox (like conversations.inbox including all)' \
    -c 'grant insert on bench.inbox to bench'
}

# wrk_webhooks SECONDS [RATE]
wrk_webhooks() {
  local duration=$1
  shift
  wrk -t1 -c32 -d "${duration}s" --timeout 10s -H "Parley-Identity: $(own_token conversations)" -s "$bench/webhooks.lua" "http://127.0.0.1:${port[conversations]}" -- \
    "$state/webhooks/bodies" "$@" | sed -n 's/^RESULT //p'
}

# measure_webhooks [RATE]: each answered 200, and each in the inbox.
measure_webhooks() {
  local result
  sql -c 'truncate conversations.inbox'
  wrk_webhooks "$warm_up" "$@" >/dev/null
  result=$(with_cpu "conversations postgres" "$seconds" wrk_webhooks "$seconds" "$@")
  if (($(jq '.broken + .refused + (if .rate > 0 then 0 else 1 end)' <<<"$result") > 0)); then fail "webhooks failed: $result"; fi
  if (($(sql -At -c 'select count(*) from conversations.inbox') < $(jq ".rate * $seconds | floor" <<<"$result"))); then
    fail "webhooks were answered 200 that are not in the inbox: $result"
  fi
  printf '%s' "$result"
}

# 32 clients, one commit a row.
pgbench_webhooks() {
  local output scripts=() number
  for ((number = 0; number < 20; number++)); do scripts+=(-f "$state/webhooks/$number.pgbench"); done
  output=$(PGPASSWORD=$(<"$secrets/database-bench") "$postgres_programs/pgbench" -n -M prepared -c 32 -j 2 -P 1 -T "$1" \
    "${scripts[@]}" -h 127.0.0.1 -p "${port[postgres]}" -U bench parley 2>&1) || fail "pgbench failed: $output"
  awk -v after=$((warm_up + 1)) '/^progress: / && $2 > after + 0.5 { sum += $4; ++count } END { printf "{\"rate\":%.1f}\n", sum / count }' <<<"$output"
}

webhook_rounds() {
  local round result
  step "preparing webhooks"
  logged "preparing webhooks" make_webhooks
  for ((round = 1; round <= rounds; round++)); do
    step "webhooks, round $round of $rounds"
    result=$(measure_webhooks)
    record webhooks ours "$result"
    sql -c 'truncate bench.inbox'
    record webhooks pgbench "$(with_cpu postgres "$((warm_up + 1 + seconds))" pgbench_webhooks "$((warm_up + 1 + seconds))")"
    record "webhooks at half" ours "$(measure_webhooks "$(jq '.rate / 2 | floor' <<<"$result")")"
  done
  sql -c 'truncate conversations.inbox, bench.inbox'
}

# connect_account: the organization's, with the simulator.
connect_account() {
  call -f -X POST -H "Authorization: Bearer $api_key" -H 'Content-Type: application/json' -o /dev/null \
    -d "{\"businessAccountId\":\"$business_account_id\",\"code\":\"code-bench\",\"phoneNumberId\":\"$phone_number_id\"}" \
    "http://127.0.0.1:${port[gateway]}/api/organization/messagingBusinessAccount"
}

visible_round() {
  local name result
  step "from a webhook to its message"
  for name in simulator dispatcher; do
    start_process "$name"
    wait_until "$name" 20 is_ready "$name"
  done
  connect_account || fail "the account could not be connected"
  result=$(node "$bench/webhooks.js" visible "$(<"$secrets/channel-app-secret")" "$phone_number_id" 200 \
    "http://127.0.0.1:${port[gateway]}" "$api_key") || fail "a webhook did not become a message"
  record visible ours "$result"
  for name in dispatcher simulator; do stop "$name" TERM 10; done
}

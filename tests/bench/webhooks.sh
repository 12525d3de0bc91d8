# shellcheck shell=bash
# Webhooks: taken in durably, against pgbench inserting the same rows; how long one takes to be a message that can be read; and
# how many are applied that wait in the queue. Sourced by tests/bench/run.

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

# connect_account: the organization's, with the simulator, once.
connect_account() {
  if [[ -n ${account_connected:-} ]]; then return 0; fi
  call -f -X POST -H "Authorization: Bearer $api_key" -H 'Content-Type: application/json' -o /dev/null \
    -d "{\"businessAccountId\":\"$business_account_id\",\"code\":\"code-bench\",\"phoneNumberId\":\"$phone_number_id\"}" \
    "http://127.0.0.1:${port[gateway]}/api/organization/messagingBusinessAccount" || fail "the account could not be connected"
  account_connected=yes
}

visible_round() {
  local name result
  step "from a webhook to its message"
  for name in simulator dispatcher; do
    start_process "$name"
    wait_until "$name" 20 is_ready "$name"
  done
  connect_account
  result=$(node "$bench/webhooks.js" visible "$(<"$secrets/channel-app-secret")" "$phone_number_id" 200 \
    "http://127.0.0.1:${port[gateway]}" "$api_key") || fail "a webhook did not become a message"
  record visible ours "$result"
  for name in dispatcher simulator; do stop "$name" TERM 10; done
}

# fill_queue COUNT AFTER: as many text messages, each of somebody who has never written, as the intake would have queued them.
fill_queue() {
  node "$bench/webhooks.js" queue "$(<"$secrets/channel-app-secret")" "$phone_number_id" "$1" "$state/queue" "$2"
  sql <<END
set search_path = conversations;
create temporary table body (body bytea);
\\copy body from '$state/queue'
insert into webhook_owner select distinct webhook_owner_of(null, body) from body on conflict do nothing;
insert into inbox (body, owner) select body, webhook_owner_of(null, body) from body;
vacuum analyze inbox;
checkpoint;
END
  rm -f "$state/queue"
}

inbound_messages() { sql -At -c "select count(*) from conversations.message where direction = 'InBound'"; }
still_queued() { sql -At -c 'select (select count(*) from conversations.inbox) + (select count(*) from conversations.parked_element)'; }

# measure_applied COUNT AFTER: webhooks a second, from the first that is applied to the last, by one dispatcher.
measure_applied() {
  local count=$1 before left now from='' queued=$1 last_news=$SECONDS
  logged "filling the queue of webhooks" fill_queue "$count" "$2"
  before=$(inbound_messages)
  start_process dispatcher
  until ((queued == 0)); do
    left=$(still_queued)
    now=$EPOCHREALTIME
    if ((left < queued)); then
      queued=$left last_news=$SECONDS
      if [[ -z $from ]]; then from=$now count=$left; fi
    fi
    if ((SECONDS > last_news + 60)); then fail "the queue of webhooks stands still at $queued"; fi
    sleep 0.1
  done
  [[ $(($(inbound_messages) - before)) == "$1" ]] || fail "not each webhook became one message"
  stop dispatcher TERM 10
  jq -nc --argjson count "$count" --argjson from "$from" --argjson to "$now" '{rate: ($count / ($to - $from))}'
}

applied_rounds() {
  local round
  start_process simulator
  wait_until simulator 20 is_ready simulator
  connect_account
  for ((round = 1; round <= less_rounds; round++)); do
    step "applying $queued_webhooks webhooks of strangers, round $round of $less_rounds"
    record applied ours "$(measure_applied "$queued_webhooks" $((round * queued_webhooks)))"
  done
  stop simulator TERM 10
}

# shellcheck shell=bash
# Campaigns that one dispatcher sends to the simulator as fast as it can: small ones, large ones, and its memory. The
# simulator tells no statuses. Sourced by tests/bench/run.

# shellcheck disable=SC2154  # few, many, .. are run's

simulator_control() { call -f -X "$1" -H 'Content-Type: application/json' ${3:+-d "$3"} "http://127.0.0.1:${port[simulator]}/simulator/$2"; }
accepted_so_far() { simulator_control GET 'accepted?limit=0' | jq .total; }
post_as_owner() {
  call -f -X POST -H "Authorization: Bearer $api_key" -H 'Content-Type: application/json' -d "$2" "http://127.0.0.1:${port[gateway]}$1"
}

# new_campaign COUNT: the id of a Draft with so many recipients, as its audience would have made them.
new_campaign() {
  local list message campaign
  message='{"type":"Template","template":{"name":"greeting","language":"en_US","parameters":{"1":"{{name|there}}","2":"from us"}}}'
  list=$(post_as_owner /api/lists '{"name":"bench"}' | jq -er .list.uniqueId) || fail "a list could not be made"
  campaign=$(post_as_owner /api/campaigns "{\"name\":\"bench\",\"listIds\":[\"$list\"],\"message\":$message,\"phoneNumberId\":\"$phone_number_id\"}" |
    jq -er .campaign.uniqueId) || fail "a campaign could not be made"
  sql -v "organization=$organization" -v "campaign=$campaign" -v "count=$1" <<'END' >/dev/null || fail "a campaign could not be filled"
set search_path = conversations;
select extract(epoch from clock_timestamp())::int8 * 1000 as begin \gset
insert into target (organization_id, campaign_id, ordinal, contact_id, recipient, message_id, parameters)
select :'organization', :'campaign', n, (lpad(to_hex(:begin + n), 12, '0') || '70008' || lpad(to_hex(n), 15, '0'))::uuid,
       '+4917' || lpad(n::text, 9, '0'), (lpad(to_hex(:begin + n), 12, '0') || '70009' || lpad(to_hex(n), 15, '0'))::uuid,
       array['Person ' || n]
from generate_series(1, :count) n;
insert into chunk (organization_id, campaign_id, first, last)
select :'organization', :'campaign', n, least(n + 499, :count) from generate_series(1, :count, 500) n;
insert into campaign_count (organization_id, campaign_id, quarter, what, slot, n)
values (:'organization', :'campaign', 'epoch', 'Targets', 0, :count);
update campaign set audience_done = true, audience_count = :count where organization_id = :'organization' and id = :'campaign';
vacuum analyze target;
vacuum analyze message;
vacuum analyze conversation;
checkpoint;
END
  printf '%s' "$campaign"
}

# measure_dispatch COUNT: from the first message that the simulator took to the last: messages a second, processors'
# microseconds a message, and the most memory of the dispatcher (MiB, proportional set size).
measure_dispatch() {
  local count=$1 campaign first=0 first_at accepted=0 more now peak=0 last_look=0 last_news=$SECONDS name before=() ticks cpu='{}'
  campaign=$(new_campaign "$count")
  simulator_control DELETE accepted
  for name in dispatcher postgres simulator; do before+=("$(ticks_of "$name")"); done
  sql -c "update conversations.campaign set status = 'Running', started_at = now() where id = '$campaign'"
  while ((accepted < count)); do
    sleep 0.05
    more=$(accepted_so_far)
    now=$EPOCHREALTIME
    if ((more > accepted)); then accepted=$more last_news=$SECONDS; fi
    if ((SECONDS > last_news + 60)); then fail "a campaign stands still at $accepted of $count"; fi
    if ((first == 0 && accepted > 0)); then first=$accepted first_at=$now; fi
    if ((SECONDS > last_look)); then
      last_look=$SECONDS
      peak=$(jq --argjson before "$peak" '[$before, .shared] | max' <<<"$(memory_of dispatcher)")
    fi
  done
  for name in dispatcher postgres simulator; do
    ticks=$(($(ticks_of "$name") - before[0]))
    before=("${before[@]:1}")
    cpu=$(jq -c --arg name "$name" --argjson ticks "$ticks" --argjson hertz "$ticks_a_second" --argjson count "$count" \
      '.[$name] = ($ticks / $hertz * 1e6 / $count * 10 | round / 10)' <<<"$cpu")
  done
  until [[ $(sql -At -c "select status from conversations.campaign where id = '$campaign'") == Finished ]]; do sleep 0.2; done
  [[ $(simulator_control GET 'accepted?limit=0' | jq -c '[.total, .doubled]') == "[$count,0]" ]] || fail "not each was sent to once"
  jq -nc --argjson count "$((count - first))" --argjson from "$first_at" --argjson to "$now" --argjson peak "$peak" --argjson cpu "$cpu" \
    '{rate: ($count / ($to - $from)), peak: $peak, cpu: $cpu}'
}

# The largest campaign once, others three times.
dispatch_rounds() {
  local name count round sizes=("$few" 100000) small=() result
  if ((many > 100000)); then sizes+=("$many"); fi
  for name in simulator dispatcher; do
    start_process "$name"
    wait_until "$name" 20 is_ready "$name"
  done
  connect_account
  simulator_control POST behaviour '{"statuses":"none","serviceWindow":false}' >/dev/null
  simulator_control POST templates "{\"businessAccountId\":\"$business_account_id\",\"name\":\"greeting\",\"language\":\"en_US\",\"status\":\"APPROVED\",\"category\":\"UTILITY\",
    \"components\":[{\"type\":\"BODY\",\"text\":\"Hello {{1}}, a word {{2}}.\",\"example\":{\"body_text\":[[\"Ada\",\"from us\"]]}}]}" >/dev/null
  measure_dispatch "$few" >/dev/null # to warm up
  for count in "${sizes[@]}"; do
    for ((round = 1; round <= (count >= many ? 1 : 3); round++)); do
      step "a campaign to $count, round $round"
      result=$(measure_dispatch "$count")
      record "dispatch $count" ours "$result"
      if ((count == few)); then small+=("$(jq .rate <<<"$result")"); fi
    done
  done
  record "dispatch flat" large "$result"
  record "dispatch flat" small "$(jq -nc '{rate: ($ARGS.positional | sort | .[length / 2 | floor])}' --jsonargs "${small[@]}")"
  for name in dispatcher simulator; do stop "$name" TERM 10; done
}

# shellcheck shell=bash
# The audience of a campaign to all contacts that import_round() imported, against their import. Sourced by tests/bench/run.

# shellcheck disable=SC2154  # large, many, results, .. are run's

# A list of all contacts, and a campaign to it that runs. Gives its id.
start_audience() {
  sql -At -v "organization=$large" <<'END'
set search_path = contacts;
select gen_random_uuid() as list, gen_random_uuid() as campaign \gset
insert into list (organization_id, id, name) values (:'organization', :'list', 'everybody');
insert into membership select :'organization', :'list', id from contact where organization_id = :'organization' order by id;
vacuum analyze membership;
checkpoint;
insert into conversations.campaign (organization_id, id, name, status, message, list_ids, started_at)
values (:'organization', :'campaign', 'bench', 'Running', '{"type": "Text", "text": "Hello {{name|there}} of {{city|somewhere}}"}',
  array[:'list'::uuid], clock_timestamp()) returning id;
END
}

# From the campaign's start until its messages could be sent: contacts a second, and the most that contacts or the
# dispatcher had resident (MiB).
measure_audience() {
  local campaign seconds process peaks=()
  for process in "$(pid_of contacts)" "$(pid_of dispatcher)"; do echo 5 >"/proc/$process/clear_refs"; done
  campaign=$(start_audience) || fail "a campaign could not be started"
  until seconds=$(sql -At -c "update conversations.campaign set status = 'Cancelled' where id = '$campaign' and audience_done
    returning extract(epoch from clock_timestamp() - started_at)") && [[ -n $seconds ]]; do sleep 0.1; done
  [[ $(sql -At -c "select count(*) || ' ' || count(skipped) from conversations.target where campaign_id = '$campaign'") == "$many 0" ]] ||
    fail "not all contacts are in the audience"
  for process in "$(pid_of contacts)" "$(pid_of dispatcher)"; do peaks+=("$(awk '/^VmHWM/ { print $2 }' "/proc/$process/status")"); done
  jq -nc --argjson seconds "$seconds" --argjson count "$many" '{rate: ($count / $seconds), peak: ($ARGS.positional | max / 1024)}' \
    --jsonargs "${peaks[@]}"
}

audience_round() {
  start_process dispatcher
  wait_until dispatcher 20 is_ready dispatcher
  step "the audience of $many contacts"
  record audience ours "$(measure_audience)"
  record audience import "$(jq -c 'select(.row == "import" and .who == "ours") | {rate}' "$results")"
  stop dispatcher TERM 10
}

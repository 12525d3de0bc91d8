# shellcheck shell=bash
# Links in campaigns' messages: followed through the gateway, each click durable before its answer, against GET one contact
# through the same gateway. Sourced by tests/bench/run.

# shellcheck disable=SC2154  # rounds, seconds, .. are run's
recipients=100000

# A campaign that was sent, and its recipients' links.
make_links() {
  local secret=0123456789abcdef number
  number=$(
    sql -At -v "organization=$organization" -v "count=$recipients" -v "secret=$secret" <<'END'
set search_path = conversations;
select '01949c3d-0000-7000-8000-00000000000c' as campaign \gset
insert into campaign (organization_id, id, name, status) values (:'organization', :'campaign', 'bench', 'Finished');
insert into target (organization_id, campaign_id, ordinal, contact_id, recipient, message_id, parameters)
select :'organization', :'campaign', n, md5('contact ' || n)::uuid, '+4917' || lpad(n::text, 9, '0'), md5('message ' || n)::uuid, '{}'
from generate_series(1, :count) n;
insert into conversation (organization_id, id, contact_id, initiated_by)
select organization_id, md5('conversation ' || ordinal)::uuid, contact_id, 'Campaign' from target where campaign_id = :'campaign';
insert into message (organization_id, id, conversation_id, contact_id, campaign_id, direction, status, message_type, data)
select organization_id, message_id, md5('conversation ' || ordinal)::uuid, contact_id, campaign_id, 'OutBound', 'Delivered', 'Text', '{"text": "hello"}'
from target where campaign_id = :'campaign';
insert into campaign_url (organization_id, campaign_id, url, secret)
values (:'organization', :'campaign', 'https://example.com/spring?from=parley', convert_to(:'secret', 'UTF8')) returning id;
END
  ) || return 1
  sql -c 'vacuum analyze conversations.target' -c 'vacuum analyze conversations.message' -c 'checkpoint'
  "$binaries/parley-bench-links" "$number" "$secret" "$recipients" >"$state/links"
}

clicks_so_far() { sql -At -c 'select count(*) from conversations.click'; }

# Each is counted, and none is lost.
measure_redirects() {
  local before result metrics
  before=$(clicks_so_far)
  result=$(load "gateway conversations postgres" "${port[gateway]}" 'Accept: */*' lines "$state/links")
  if (($(clicks_so_far) - before < $(jq ".rate * $seconds | floor" <<<"$result"))); then fail "clicks were not counted: $result"; fi
  metrics=$(call -f "http://127.0.0.1:${admin_port[conversations]}/metrics")
  if ! grep -qx 'link_clicks_lost_total 0' <<<"$metrics"; then fail "clicks were lost"; fi
  printf '%s' "$result"
}

redirect_rounds() {
  local round result
  step "preparing a campaign's links"
  logged "preparing a campaign's links" make_links
  for ((round = 1; round <= rounds; round++)); do
    step "links, round $round of $rounds"
    result=$(measure_redirects)
    record redirects ours "$result"
    result=$(load "gateway contacts conversations postgres" "${port[gateway]}" "Authorization: Bearer $api_key" contact "$contacts")
    record redirects contact "$result"
  done
}

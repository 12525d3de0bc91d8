# shellcheck shell=bash
# Reports over a year's messages against the same aggregate over the raw rows, and events applied to the rollups. Sourced by
# tests/bench/run.

# shellcheck disable=SC2154,SC2034  # rounds, seconds, .. are run's
year='from=2025-01-01&to=2025-12-31'

start_analytics() {
  logged "parley-analytics migrate" migrate analytics
  start_process analytics
  wait_until analytics 20 is_ready analytics
}

# fill_year COUNT: as many messages of 300 campaigns as raw rows, and the rollups that their events would have made. A
# campaign sends for two hours; 95 of 100 are delivered, 60 read, 8 replied to and 12 clicked within a day.
fill_year() {
  sql -v "organization=$organization" -v "count=$1" <<'END'
set work_mem = '256MB';
drop table if exists bench.sent_message;
create unlogged table bench.sent_message as
select :'organization'::uuid as organization_id, md5('campaign ' || c)::uuid as campaign_id, sent_at, status,
       case when status = 'Read' and r < 8 then sent_at + (h % 86400) * interval '1 second' end as replied_at,
       case when status = 'Read' and r between 5 and 16 then sent_at + (h % 80000) * interval '1 second' end as clicked_at,
       h % 3 = 0 as opened
from (select n % 300 as c, h, (h / 7) % 60 as r,
             timestamptz '2025-01-01 08:00Z' + (n % 300) * interval '29 hours' + (h % 7200) * interval '1 second' as sent_at,
             case when h % 100 < 60 then 'Read' when h % 100 < 95 then 'Delivered' when h % 100 < 98 then 'Sent'
                  when h % 100 < 99 then 'UnDelivered' else 'Failed' end as status
      from (select n, abs(hashint4(n)) as h from generate_series(1, :count) n) n) m;
create index on bench.sent_message (organization_id, sent_at);
vacuum analyze bench.sent_message;

create temporary table quarter as
with sent as (
  select organization_id, campaign_id, date_bin('15 minutes', sent_at, 'epoch') as bucket, count(*) as recipients,
         count(*) filter (where status <> 'Failed') as sent, count(*) filter (where status in ('Delivered', 'Read')) as delivered,
         count(*) filter (where status = 'Read') as read, count(*) filter (where status = 'Failed') as failed,
         count(*) filter (where status = 'UnDelivered') as undelivered, count(replied_at) as replied,
         count(*) filter (where replied_at is not null or clicked_at is not null) as engaged, count(replied_at) as replies,
         count(*) filter (where opened) as conversations, 0 as replies_at, 0 as clicks_at
  from bench.sent_message group by 1, 2, 3
), happened as (
  select organization_id, campaign_id, date_bin('15 minutes', replied_at, 'epoch'), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, count(*), 0
  from bench.sent_message where replied_at is not null group by 1, 2, 3
  union all
  select organization_id, campaign_id, date_bin('15 minutes', clicked_at, 'epoch'), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, count(*)
  from bench.sent_message where clicked_at is not null group by 1, 2, 3
)
select * from sent union all select * from happened;
truncate analytics.campaign_rollup, analytics.organization_rollup;
insert into analytics.campaign_rollup
select organization_id, campaign_id, bucket, sum(recipients), sum(sent), sum(delivered), sum(read), sum(failed), sum(undelivered),
       sum(replied), sum(engaged), sum(replies), sum(conversations), sum(replies_at), sum(clicks_at)
from quarter group by 1, 2, 3;
insert into analytics.organization_rollup
select organization_id, bucket, sum(recipients), sum(sent), sum(delivered), sum(read), sum(failed), sum(undelivered), sum(replied),
       sum(engaged), sum(replies), sum(conversations), sum(replies_at), sum(clicks_at)
from quarter group by 1, 2;
vacuum analyze analytics.campaign_rollup;
vacuum analyze analytics.organization_rollup;
checkpoint;
END
}

# The report's figures from the raw rows: the totals, and each day's of those sent and of what happened.
raw_report="with m as materialized (
  select date_trunc('day', sent_at, 'UTC') as day, count(*) as recipients, count(*) filter (where status <> 'Failed') as sent,
         count(*) filter (where status in ('Delivered', 'Read')) as delivered, count(*) filter (where status = 'Read') as read,
         count(*) filter (where status = 'Failed') as failed, count(*) filter (where status = 'UnDelivered') as undelivered,
         count(replied_at) as replied, count(*) filter (where replied_at is not null or clicked_at is not null) as engaged,
         count(*) filter (where opened) as conversations
  from bench.sent_message where organization_id = :'organization' and sent_at >= '2025-01-01Z' and sent_at < '2026-01-01Z' group by 1
), happened as materialized (
  select date_trunc('day', at, 'UTC') as day, sum(reply) as replies, sum(click) as clicks
  from bench.sent_message cross join lateral (values (replied_at, 1, 0), (clicked_at, 0, 1)) e (at, reply, click)
  where organization_id = :'organization' and at >= '2025-01-01Z' and at < '2026-01-01Z' group by 1)
select json_build_object('totalRecipients', sum(recipients), 'messagesSent', sum(sent), 'messagesRead', sum(read),
  'messagesDelivered', sum(delivered), 'messagesFailed', sum(failed), 'messagesUndelivered', sum(undelivered),
  'conversationInitiated', sum(conversations), 'totalLinkClicks', sum(coalesce(clicks, 0)), 'replied', sum(replied),
  'engaged', sum(engaged), 'days', count(*))
from m full join happened using (day)"

get_report() { call -f -H "Parley-Identity: $(token analytics)" "http://127.0.0.1:${port[analytics]}/api/analytics/campaigns?$year"; }

check_reports() {
  local figures='{totalRecipients, messagesSent, messagesRead, messagesDelivered, messagesFailed, messagesUndelivered, conversationInitiated, totalLinkClicks}'
  local ours theirs
  ours=$(get_report | jq -cS ".analytics | $figures")
  theirs=$(sql -At -v "organization=$organization" <<<"$raw_report;" | jq -cS "$figures")
  [[ $ours == "$theirs" ]] || fail "the report is $ours, the raw rows say $theirs"
}

# Milliseconds; each of the two asked by one client, one after another.
measure_report() { load "analytics postgres" "${port[analytics]}" "Parley-Identity: $(token analytics)" target "/api/analytics/campaigns?$year"; }
measure_raw_report() {
  printf '\\timing on\n%s \\g /dev/null\n%s \\g /dev/null\n' "$raw_report" "$raw_report" |
    sql -v "organization=$organization" | awk '/^Time:/ { time = $2 } END { printf "{\"p50\":%s}", time }'
}

# measure_events COUNT CHANGES: as many changes, so many a transaction, told while analytics rests; then changes a second
# until the last is applied.
measure_events() {
  local count=$1 each=$2 head from
  stop analytics TERM 10
  sql -v "organization=$organization" -v "count=$count" -v "each=$each" <<'END'
set search_path = conversations;
insert into outbox (changes)
select jsonb_agg(jsonb_build_object('type', 'campaign.messages', 'organizationId', :'organization', 'campaignId', md5('campaign ' || n % 50)::uuid,
         'sentAt', to_char(timestamptz '2025-06-01 08:00Z' + n * interval '80 milliseconds', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
         'from', 'Sent', 'to', 'Delivered'))
from generate_series(1, :count) n group by n / :each;
END
  until [[ $(sql -At -c 'select count(*) from conversations.outbox where position is null') == 0 ]]; do sleep 0.2; done
  head=$(sql -At -c 'select head from conversations.feed')
  start_process analytics
  from=$EPOCHREALTIME
  until [[ $(sql -At -c "select position from analytics.feed_cursor where producer = 'conversations'") == "$head" ]]; do sleep 0.05; done
  jq -nc --argjson seconds "$(seconds_since "$from")" --argjson count "$count" '{rate: ($count / $seconds)}'
  wait_until analytics 20 is_ready analytics
}

analytics_rounds() {
  local round messages=$1 changes=$2 connections=1
  step "filling a year with $messages messages"
  start_analytics
  logged "filling a year" fill_year "$messages"
  check_reports
  for ((round = 1; round <= rounds; round++)); do
    step "a year's report, round $round of $rounds"
    record report ours "$(measure_report)"
    record report raw "$(measure_raw_report)"
  done
  step "applying $changes changes, and as many by transactions of one"
  record events ours "$(measure_events "$changes" 50)"
  record "single events" ours "$(measure_events "$changes" 1)"
  sql -c 'drop table bench.sent_message'
  stop analytics TERM 10
}

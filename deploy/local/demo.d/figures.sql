-- The figures of GET /api/analytics/campaigns from the messages themselves, as JSON, days of UTC: what the demo's must be.
-- psql variables: organization_id, from, to (full quarters of an hour)
\set QUIET on
WITH sent AS (
  SELECT m.*, status IN ('Sent', 'Delivered', 'Read', 'UnDelivered') AS taken, status IN ('Delivered', 'Read') AS delivered,
         (SELECT count(*) FROM message r WHERE r.organization_id = m.organization_id AND r.conversation_id = m.conversation_id
                                           AND r.reply_to_message_id = m.id AND r.direction = 'InBound') AS replies,
         (SELECT count(*) FROM click k WHERE k.organization_id = m.organization_id AND k.campaign_id = m.campaign_id
                                         AND k.ordinal = t.ordinal AND NOT k.preview) AS clicks,
         EXISTS (SELECT FROM conversation c WHERE c.organization_id = m.organization_id AND c.id = m.conversation_id
                 AND c.campaign_id = m.campaign_id AND c.initiated_by = 'Campaign')
           AND NOT EXISTS (SELECT FROM message e WHERE e.organization_id = m.organization_id
                           AND e.conversation_id = m.conversation_id AND (e.created_at, e.id) < (m.created_at, m.id)) AS opened,
         t.ordinal
  FROM message m JOIN target t ON t.organization_id = m.organization_id AND t.message_id = m.id
  WHERE m.organization_id = :'organization_id' AND m.campaign_id IS NOT NULL AND direction = 'OutBound'
), here AS (SELECT * FROM sent WHERE created_at >= :'from' AND created_at < :'to'),
happened AS (
  SELECT r.created_at AS at, 0 AS click FROM message r JOIN sent s ON s.id = r.reply_to_message_id
  WHERE r.organization_id = :'organization_id' AND r.direction = 'InBound'
  UNION ALL SELECT k.at, 1 FROM sent s JOIN click k USING (organization_id, campaign_id, ordinal) WHERE NOT k.preview
), days AS (
  SELECT day::timestamptz AS date, to_char(day, 'YYYY-MM-DD') AS label, greatest(day, :'from') AS starts, least(day + interval '1 day', :'to') AS ends
  FROM generate_series(date_trunc('day', :'from'::timestamptz), :'to'::timestamptz - interval '1 second', interval '1 day') day
)
SELECT json_build_object(
  'totalRecipients', count(*), 'messagesSent', count(*) FILTER (WHERE taken), 'messagesFailed', count(*) FILTER (WHERE status = 'Failed'),
  'messagesDelivered', count(*) FILTER (WHERE delivered), 'messagesUndelivered', count(*) FILTER (WHERE status = 'UnDelivered'),
  'messagesRead', count(*) FILTER (WHERE status = 'Read'), 'totalMessages', count(*) + sum(replies),
  'conversationInitiated', count(*) FILTER (WHERE opened),
  'responseRate', coalesce(round(100.0 * count(*) FILTER (WHERE replies > 0) / nullif(count(*) FILTER (WHERE delivered), 0), 1), 0)::float,
  'openRate', coalesce(round(100.0 * count(*) FILTER (WHERE status = 'Read') / nullif(count(*) FILTER (WHERE taken), 0), 1), 0)::float,
  'engagementRate', coalesce(round(100.0 * count(*) FILTER (WHERE replies + clicks > 0) / nullif(count(*) FILTER (WHERE taken), 0), 1), 0)::float,
  'totalLinkClicks', (SELECT count(*) FROM happened WHERE click = 1 AND at >= :'from' AND at < :'to'),
  'engagementTrends', (SELECT json_agg(json_build_object('label', label,
     'count', (SELECT count(*) FROM happened WHERE at >= starts AND at < ends)) ORDER BY date) FROM days),
  'linkClicksData', (SELECT json_agg(json_build_object('label', label,
     'count', (SELECT count(*) FROM happened WHERE click = 1 AND at >= starts AND at < ends)) ORDER BY date) FROM days),
  'messageAnalytics', (SELECT json_agg(json_build_object('label', label,
     'sent', (SELECT count(*) FROM sent WHERE taken AND created_at >= starts AND created_at < ends),
     'delivered', (SELECT count(*) FROM sent s WHERE s.delivered AND created_at >= starts AND created_at < ends),
     'replied', (SELECT count(*) FROM sent WHERE replies > 0 AND created_at >= starts AND created_at < ends),
     'read', (SELECT count(*) FROM sent WHERE status = 'Read' AND created_at >= starts AND created_at < ends)) ORDER BY date) FROM days))
FROM here;

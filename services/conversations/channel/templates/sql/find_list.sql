-- read(organization_id uuid, kind text, seconds int4)
-- The moment is the channel's answer's, which is asked for next: what a webhook tells later than that is newer.
SELECT now() AS now, l.business_account_id, l.listed_at > now() - make_interval(secs => $3) AS fresh
FROM (SELECT) one LEFT JOIN channel_list l ON l.organization_id = $1 AND l.kind = $2

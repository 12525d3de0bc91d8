-- read(seconds int4)
-- In random order, so that accounts that cannot be asked do not hold up the others.
SELECT c.organization_id
FROM (
  SELECT organization_id FROM campaign WHERE status = 'Running'
  UNION
  SELECT organization_id FROM campaign WHERE status = 'Scheduled' AND scheduled_at < now() + interval '1 hour'
) c
WHERE NOT EXISTS (
  SELECT FROM channel_list l
  WHERE l.organization_id = c.organization_id AND l.kind = 'PhoneNumbers'
    AND l.listed_at > now() - make_interval(secs => $1)
)
ORDER BY random()
LIMIT 100

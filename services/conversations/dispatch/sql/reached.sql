-- read(organization_id uuid, phone_number_id text)
-- The account's limit, as the channel calls it, and to how many people something was sent first in the last 24 hours.
SELECT (SELECT p.messaging_limit FROM phone_number p WHERE p.organization_id = $1 AND p.id = $2) AS messaging_limit,
  (SELECT coalesce(sum(r.people), 0)::int8 FROM reach r
   WHERE r.organization_id = $1 AND r.hour >= date_trunc('hour', now() - interval '24 hours')) AS people

-- write(organization_id uuid, phone_number_id text, owner uuid, campaign_id uuid, open_firsts int4[])
-- The first open chunk of a campaign that the number's owner does not have in hand. Messages
-- of a former owner may be in flight.
WITH next AS (
  SELECT k.first, k.owner
  FROM chunk k
  WHERE k.organization_id = $1 AND k.campaign_id = $4 AND NOT k.done AND k.first <> ALL ($5)
    AND EXISTS (SELECT FROM sender s WHERE s.organization_id = $1 AND s.phone_number_id = $2 AND s.owner = $3)
    AND NOT is_restored()
  ORDER BY k.first LIMIT 1
  FOR UPDATE OF k SKIP LOCKED
)
UPDATE chunk k SET owner = $3
FROM next
WHERE k.organization_id = $1 AND k.campaign_id = $4 AND k.first = next.first
RETURNING k.first, k.last, next.owner IS NOT NULL AS begun

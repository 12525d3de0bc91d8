-- read(owner uuid, most int4)
-- Chunks whose dispatcher does not have their number any more, whoever's they are, or has it though its lease is over, as
-- long as it is not the asking one: what is Queued of them may have been sent.
SELECT k.organization_id, k.campaign_id, c.phone_number_id, k.first, k.last, k.owner,
  s.owner IS NOT DISTINCT FROM k.owner AS held
FROM chunk k
  JOIN campaign c ON c.organization_id = k.organization_id AND c.id = k.campaign_id
  LEFT JOIN sender s ON s.organization_id = k.organization_id AND s.phone_number_id = c.phone_number_id
WHERE k.owner IS NOT NULL AND NOT k.done
  AND (s.owner IS DISTINCT FROM k.owner OR (s.lease_until < now() AND k.owner <> $1))
LIMIT $2

-- name: duplicates slow(organization_id uuid, campaign_id uuid, most int8)
-- Targets with a repeated recipient. A recipient belongs to one contact at a time: the contact read last has it now.
WITH repeated AS MATERIALIZED (
  SELECT recipient COLLATE "C" AS recipient, max(ordinal) AS kept
  FROM target
  WHERE organization_id = $1 AND campaign_id = $2 AND skipped IS NULL
  GROUP BY recipient COLLATE "C" HAVING count(*) > 1
  LIMIT $3
)
SELECT t.ordinal
FROM repeated r JOIN target t ON t.recipient COLLATE "C" = r.recipient AND t.ordinal <> r.kept
WHERE t.organization_id = $1 AND t.campaign_id = $2 AND t.skipped IS NULL
LIMIT $3

-- name: add write(organization_id uuid, campaign_id uuid, count int8, contact_ids uuid[], recipients text[], variants int8[], message_ids uuid[], parameters text[], skipped text[])
-- Inserts targets behind the first $3; each element of `parameters` is an array literal. Of an experiment's campaign those
-- outside the test part get variant -1: they wait for the winner. A hash of both ids draws who that is.
INSERT INTO target (organization_id, campaign_id, ordinal, contact_id, recipient, variant, message_id, parameters, skipped)
SELECT $1, $2, $3 + t.place, t.contact_id, t.recipient,
  CASE WHEN abs(hashtextextended($2::text || t.contact_id::text, 0) % 100) >= e.share THEN -1 ELSE t.variant END,
  t.message_id, t.parameters::text[], t.skipped
FROM unnest($4, $5, $6, $7, $8, $9) WITH ORDINALITY
    AS t (contact_id, recipient, variant, message_id, parameters, skipped, place)
  CROSS JOIN (SELECT coalesce((experiment ->> 'share')::int, 100) AS share FROM campaign
              WHERE organization_id = $1 AND id = $2) e

-- name: advance write(organization_id uuid, campaign_id uuid, owner uuid, lease_milliseconds int8, after uuid, count int8, next uuid, added int8)
-- The fence: only one transaction can move the position, together with the targets it adds.
UPDATE campaign
SET audience_after = $7, audience_count = $6 + $8, audience_owner = $3,
  audience_lease = now() + $4 * interval '1 millisecond'
WHERE organization_id = $1 AND id = $2 AND status = 'Running' AND NOT audience_done
  AND audience_after = $5 AND audience_count = $6

-- name: finish write(organization_id uuid, campaign_id uuid, after uuid, count int8, chunk int8)
-- Makes the campaign's targets available for sending; of an experiment the test part, and the rest if a member has picked
-- the winner already.
WITH finished AS (
  UPDATE campaign SET audience_done = true, audience_owner = NULL, audience_lease = NULL
  WHERE organization_id = $1 AND id = $2 AND status = 'Running' AND NOT audience_done
    AND audience_after = $3 AND audience_count = $4
  RETURNING audience_count, winner
), cut AS (
  INSERT INTO chunk (organization_id, campaign_id, first, last)
  SELECT $1, $2, first, least(first + $5 - 1, audience_count)
  FROM finished, generate_series(1, audience_count::int8, $5) AS first
), cut_rest AS (
  INSERT INTO chunk (organization_id, campaign_id, first, last, rest)
  SELECT $1, $2, first, least(first + $5 - 1, audience_count), true
  FROM finished, generate_series(0, audience_count::int8, $5) AS first
  WHERE winner IS NOT NULL
)
SELECT audience_count FROM finished

-- name: give_back write(organization_id uuid, campaign_id uuid, owner uuid, pause_milliseconds int8)
-- Releases the campaign for any worker after the pause; campaigns that wait longer come first.
UPDATE campaign
SET audience_owner = NULL, audience_lease = now() + $4 * interval '1 millisecond'
WHERE organization_id = $1 AND id = $2 AND audience_owner = $3

-- name: skip_duplicates write(organization_id uuid, campaign_id uuid, ordinals int8[])
UPDATE target SET skipped = 'Duplicate'
WHERE organization_id = $1 AND campaign_id = $2 AND ordinal = ANY (ARRAY(SELECT unnest($3)::int)) AND skipped IS NULL

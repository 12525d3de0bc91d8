-- write(organization_id uuid, id uuid, before int4, ordinal int4, contacts int8, lease int8, over bool)
-- No row when somebody else has gone on from there.
UPDATE retarget
SET ordinal = $4, contacts = contacts + $5, lease_until = now() + $6 * interval '1 millisecond',
  finished_at = CASE WHEN $7 THEN now() END
WHERE organization_id = $1 AND id = $2 AND ordinal = $3 AND finished_at IS NULL

-- write(organization_id uuid, id uuid, before int4, lease int8)
-- For anybody, in so many milliseconds.
UPDATE retarget SET lease_until = now() + $4 * interval '1 millisecond'
WHERE organization_id = $1 AND id = $2 AND ordinal = $3 AND finished_at IS NULL

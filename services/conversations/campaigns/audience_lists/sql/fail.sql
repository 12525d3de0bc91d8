-- write(organization_id uuid, id uuid, before int4, failure text)
UPDATE retarget SET finished_at = now(), failure = $4
WHERE organization_id = $1 AND id = $2 AND ordinal = $3 AND finished_at IS NULL

-- write(organization_id uuid, id uuid, owner uuid, position int8)
-- No row when another goes on with it, or it was cancelled: then nothing of this transaction may stay.
SELECT id FROM import
WHERE organization_id = $1 AND id = $2 AND owner = $3 AND position = $4 AND status = 'Running'
FOR UPDATE

-- write(organization_id uuid, import_id uuid, below int4)
DELETE FROM import_chunk WHERE organization_id = $1 AND import_id = $2 AND number < $3

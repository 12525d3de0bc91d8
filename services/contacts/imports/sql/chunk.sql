-- read(organization_id uuid, import_id uuid, number int4)
SELECT octets FROM import_chunk WHERE organization_id = $1 AND import_id = $2 AND number = $3

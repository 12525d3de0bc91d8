-- read(id uuid)
SELECT organization_id FROM credential WHERE id = $1

-- write(organization_id uuid)
-- Not FOR UPDATE: rows that refer to the organization may be made meanwhile.
SELECT organization_id FROM organization
WHERE organization_id = $1 AND deleted_at IS NULL
FOR NO KEY UPDATE

-- write(organization_id uuid, kind text, ids uuid[])
-- Deleted again, after a backup of what it was deleted from was restored: removed again.
INSERT INTO removal (organization_id, kind, id)
SELECT DISTINCT $1, $2, id FROM unnest($3) AS deleted(id) ORDER BY id
ON CONFLICT (organization_id, kind, id) DO UPDATE SET started_at = now(), due_at = now(), finished_at = NULL

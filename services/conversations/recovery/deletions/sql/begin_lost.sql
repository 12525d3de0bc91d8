-- write(organization_id uuid, ids uuid[])
-- Whom contacts does not know any more without having said so may have been deleted, or lost with a database whose backup
-- was restored, or is one to be restored. Until it is too late for the latter, what they said is kept.
INSERT INTO removal (organization_id, kind, id, due_at)
SELECT DISTINCT $1, 'lost contact', id, now() + interval '7 days' FROM unnest($2) AS lost(id) ORDER BY id
ON CONFLICT DO NOTHING

-- slow(organization_id uuid, list_id uuid, tag_id uuid, search text, numbers text[], statuses text[], attributes jsonb[], tails text[], after uuid, walked int8)
-- Where that step of an export ended; no row when it was the last.
SELECT id FROM (SELECT c.id /*include walk_ids*/ ORDER BY c.id LIMIT $10) c ORDER BY id LIMIT 1 OFFSET $10 - 1

-- write(organization_id uuid, contact_ids uuid[])
-- Whoever puts something into these contacts' latest conversations, which nothing else keeps single.
SELECT count(pg_advisory_xact_lock(hashtextextended('latest conversation ' || $1 || contact_id, 0)))
FROM (SELECT contact_id FROM unnest($2) AS contact_id ORDER BY contact_id) c

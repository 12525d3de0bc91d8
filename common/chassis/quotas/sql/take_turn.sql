-- write(organization_id uuid, name text)
-- One at a time an organization takes the last of its places.
SELECT pg_advisory_xact_lock(hashtextextended('quota ' || $2 || ' ' || $1::text, 0)) IS NOT NULL AS held

-- write(organization_id uuid)
-- One at a time an organization makes, completes and merges contacts by what the channel tells of them.
SELECT pg_advisory_xact_lock(hashtextextended('contacts.people ' || $1::text, 0)) IS NOT NULL AS held

-- write(organization_id uuid)
-- There may be no row to lock.
SELECT count(pg_advisory_xact_lock(hashtextextended('opt-out settings ' || $1, 0)))

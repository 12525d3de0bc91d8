-- write()
SELECT pg_try_advisory_xact_lock(hashtextextended('outbox ' || current_schema(), 0))

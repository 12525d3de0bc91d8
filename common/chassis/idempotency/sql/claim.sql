-- write(organization_id uuid, key_hash bytea)
-- Held until the transaction ends. Whoever does not get it is told so and waits for nothing.
SELECT pg_try_advisory_xact_lock(
  hashtextextended('idempotency ' || current_schema() || ' ' || $1::text || ' ' || encode($2, 'hex'), 0))

-- write(organization_id uuid, key_hash bytea)
-- Held until the transaction ends. Whoever does not get it is told so and waits for nothing; but who has looked before, and
-- done the long work since, gives way to nobody who is only looking.
SELECT /*if waits*/ pg_advisory_xact_lock(
  hashtextextended('idempotency ' || current_schema() || ' ' || $1::text || ' ' || encode($2, 'hex'), 0)) IS NOT NULL
  /*else*/ pg_try_advisory_xact_lock(
  hashtextextended('idempotency ' || current_schema() || ' ' || $1::text || ' ' || encode($2, 'hex'), 0)) /*end*/

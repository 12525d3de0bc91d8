-- write(subjects bytea[], free int4[], window_seconds int8, first_pause_seconds int8)
-- Counts an attempt before it is known whether it fails, so that many at once are no way around the limit. Beyond the
-- free ones each attempt is followed by a pause, twice as long as the one before and at most the window. After a window
-- without any the count begins anew. What is locked is left as it is and gives no row. What is not is so from ever on, as
-- those who wait for the row may have begun before whoever holds it.
INSERT INTO sign_in_attempt AS a (subject, free, failures, last_at, locked_until)
SELECT s.subject, s.free, 1, now(),
  CASE WHEN s.free <= 1 THEN now() + least($3, $4) * interval '1 second' ELSE '-infinity' END
FROM unnest($1, $2) AS s(subject, free)
ORDER BY s.subject
ON CONFLICT (subject) DO UPDATE SET
  free = excluded.free,
  failures = CASE WHEN a.last_at < now() - $3 * interval '1 second' THEN 1 ELSE a.failures + 1 END,
  last_at = now(),
  locked_until = CASE
    WHEN a.last_at < now() - $3 * interval '1 second' THEN excluded.locked_until
    WHEN a.failures + 1 >= excluded.free
      THEN now() + least($3, $4 * 2 ^ least(a.failures + 1 - excluded.free, 30)) * interval '1 second'
    ELSE '-infinity'
  END
WHERE a.locked_until <= now()
RETURNING subject

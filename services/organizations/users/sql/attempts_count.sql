-- write(subjects bytea[], free int4[], window_seconds int8, first_pause_seconds int8)
-- After the free attempts each starts a pause, twice as long as the one before, at most the window; a window without
-- attempts resets the count. A locked subject stays unchanged and returns no row. Unlocked is '-infinity', as a
-- statement that waited for the row may have an earlier now() than its writer.
INSERT INTO sign_in_attempt AS a (subject, free, window_seconds, failures, last_at, locked_until)
SELECT s.subject, s.free, $3, 1, now(),
  CASE WHEN s.free <= 1 THEN now() + least($3, $4) * interval '1 second' ELSE '-infinity' END
FROM unnest($1, $2) AS s(subject, free)
ORDER BY s.subject
ON CONFLICT (subject) DO UPDATE SET
  free = excluded.free,
  window_seconds = excluded.window_seconds,
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

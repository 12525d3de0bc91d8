-- write(window_seconds int8)
-- A few at a time, with every attempt: there are never many.
DELETE FROM sign_in_attempt
WHERE subject IN (SELECT subject FROM sign_in_attempt WHERE last_at < now() - 2 * $1 * interval '1 second'
                  ORDER BY last_at LIMIT 20 FOR UPDATE SKIP LOCKED)

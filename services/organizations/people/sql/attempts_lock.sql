-- write(subjects bytea[])
-- In the order in which attempts_count touches them.
SELECT subject FROM sign_in_attempt WHERE subject = ANY($1) ORDER BY subject FOR UPDATE

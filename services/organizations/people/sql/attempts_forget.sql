-- write(cleared bytea[], taken_back bytea[])
-- The attempt was no failure. What is cleared begins anew; of the others it is not counted, which undoes the pause that
-- it brought.
WITH cleared AS (DELETE FROM sign_in_attempt WHERE subject = ANY($1))
UPDATE sign_in_attempt SET failures = greatest(failures - 1, 0), locked_until = '-infinity' WHERE subject = ANY($2)

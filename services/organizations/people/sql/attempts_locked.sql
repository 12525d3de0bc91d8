-- read(subjects bytea[])
SELECT coalesce(ceil(max(extract(epoch FROM locked_until - now()))), 0)::int8 AS seconds
FROM sign_in_attempt
WHERE subject = ANY($1) AND locked_until > now()

-- read(kinds text[])
SELECT count(*) AS pending, count(*) FILTER (WHERE due_at <= now()) AS due
FROM removal WHERE finished_at IS NULL AND kind = ANY ($1)

-- read(producer text)
SELECT count(*) AS parked, count(*) FILTER (WHERE due_at <= now()) AS due FROM parked_event WHERE producer = $1

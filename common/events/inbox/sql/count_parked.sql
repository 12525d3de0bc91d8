-- read(producer text)
SELECT count(*) FROM parked_event WHERE producer = $1

-- write(producer text)
DELETE FROM parked_event WHERE producer = $1

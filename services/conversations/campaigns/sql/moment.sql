-- read(local text, zone text)
-- Of an hour that clocks skip: as if they had not been put forward. Of one that they show twice: the second one.
SELECT $1::timestamp AT TIME ZONE $2

-- write(ids int8[])
SELECT parked_finish($1)

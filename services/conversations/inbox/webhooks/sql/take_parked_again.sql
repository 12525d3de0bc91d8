-- write(ids int8[])
SELECT id FROM parked_take_again($1) AS id

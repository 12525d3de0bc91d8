-- write(ids int8[])
SELECT id FROM inbox_take_again($1) AS id

-- write(ids int8[])
DELETE FROM parked_element WHERE id = ANY ($1)

-- write(days int4, most int8)
-- By then nobody will want to know any more, and what is in them is people's.
DELETE FROM parked_element
WHERE id = ANY (ARRAY(SELECT id FROM parked_element WHERE parked_at < now() - make_interval(days => $1) ORDER BY id LIMIT $2))

-- write(producers text[])
-- Of no feed that there is: whoever follows begins anew.
UPDATE feed_cursor SET epoch = '00000000-0000-0000-0000-000000000000' WHERE producer = ANY ($1)

-- write(own text)
-- Of no feed that there is, and beyond all that any has dropped: each is read from where it begins now, or from a snapshot.
-- The service's own feed was restored with its cursor.
UPDATE feed_cursor SET epoch = '00000000-0000-0000-0000-000000000000', position = 9223372036854775807
WHERE producer <> $1

-- write()
DELETE FROM session

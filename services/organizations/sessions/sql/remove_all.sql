-- write()
TRUNCATE session

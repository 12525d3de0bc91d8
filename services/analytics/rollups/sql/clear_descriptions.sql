-- write()
TRUNCATE campaign

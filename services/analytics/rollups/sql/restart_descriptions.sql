-- write()
-- Another epoch's positions begin anew.
UPDATE campaign SET position = 0

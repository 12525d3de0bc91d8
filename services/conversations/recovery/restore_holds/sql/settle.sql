-- write()
-- From here on it may be sent from again.
UPDATE feed SET home = incarnation()

-- write()
-- Nothing, on a connection that would otherwise be taken for abandoned.
SELECT

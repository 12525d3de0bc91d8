-- write()
-- Imports lock contacts in the order of their numbers, lists in the order of ids: whoever holds two fits in with neither.
-- So this transaction gives way long before the server would look for a deadlock (1 s), and is tried again.
SELECT set_config('lock_timeout', '200ms', true) AS lock_timeout

-- write()
TRUNCATE message_rollup

-- write()
TRUNCATE contact_rollup

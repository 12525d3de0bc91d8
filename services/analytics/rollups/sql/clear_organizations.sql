-- write()
TRUNCATE organization_rollup

-- write()
TRUNCATE campaign_rollup

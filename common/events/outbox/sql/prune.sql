-- write(retention_seconds int8, least_seconds int8, most int4)
SELECT pruned, events FROM outbox_prune($1, $2, $3)

-- read()
-- By min(id), as of EXISTS a plan may be made that reads the whole table: while there are few rows, or nearly all are new.
SELECT epoch, head, pruned, (SELECT min(id) FROM outbox WHERE position IS NULL) IS NOT NULL AS unsequenced FROM feed

-- read()
SELECT epoch, head, pruned, EXISTS (SELECT FROM outbox WHERE position IS NULL) AS unsequenced FROM feed

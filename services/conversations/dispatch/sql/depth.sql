-- slow()
-- How much there is to send, whoever's it is.
SELECT count(*) FILTER (WHERE state = 'Due') AS due, count(*) FILTER (WHERE state = 'Sending') AS sending,
  count(*) FILTER (WHERE state = 'InDoubt') AS in_doubt,
  min(due_at) FILTER (WHERE state = 'Due' AND due_at <= now()) AS oldest,
  (SELECT count(*) FROM sender WHERE stopped_until > now()) AS stopped
FROM outgoing

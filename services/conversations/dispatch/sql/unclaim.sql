-- write(organization_id uuid, claim uuid, message_ids uuid[])
-- Nothing was sent by this claim, if it was made at all.
UPDATE outgoing SET state = 'Due', attempt = attempt - 1, due_at = now()
WHERE organization_id = $1 AND message_id = ANY (ARRAY(SELECT unnest($3))) AND claim = $2
  AND state IN ('Sending', 'InDoubt')

-- write(organization_id uuid, claim uuid)
-- Nothing was sent by this claim, if it was made at all.
UPDATE outgoing SET state = 'Due', attempt = attempt - 1, due_at = now()
WHERE organization_id = $1 AND claim = $2 AND state IN ('Sending', 'InDoubt')

-- write(organization_id uuid, claim uuid, message_ids uuid[])
-- Nothing was sent by this claim.
SELECT outgoing_unclaim($1, $2, $3)

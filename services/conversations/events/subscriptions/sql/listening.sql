-- write(organization_ids uuid[])
-- They stay until the transaction ends, so that what is made for them is found when they are removed.
SELECT organization_id, id, events FROM webhook
WHERE organization_id = ANY (ARRAY(SELECT unnest($1))) AND active
ORDER BY organization_id, id
FOR KEY SHARE

-- write(organization_id uuid, message_ids uuid[])
DELETE FROM outgoing
WHERE organization_id = $1 AND kind = 'Message' AND message_id = ANY (ARRAY(
  SELECT message_id FROM outgoing
  WHERE organization_id = $1 AND kind = 'Message' AND message_id = ANY (ARRAY(SELECT unnest($2)))
  ORDER BY message_id
  FOR UPDATE))

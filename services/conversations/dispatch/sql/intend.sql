-- write(organization_id uuid, phone_number_id text, owner uuid, campaign_id uuid, ordinals int4[], conversation_ids uuid[], types text[], contents text[])
SELECT i.message_id, i.contact_id, i.conversation_id, i.created_at, i.fate
FROM campaign_intents($1, $2, $3, $4, $5, $6, $7, $8) i

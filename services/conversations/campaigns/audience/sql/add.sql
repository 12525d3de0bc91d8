-- write(organization_id uuid, campaign_id uuid, count int8, contact_ids uuid[], recipients text[], variants int8[], message_ids uuid[], parameters text[], skipped text[])
-- Those behind the first $3; parameters are an array's text each.
INSERT INTO target (organization_id, campaign_id, ordinal, contact_id, recipient, variant, message_id, parameters, skipped)
SELECT $1, $2, $3 + t.place, t.contact_id, t.recipient, t.variant, t.message_id, t.parameters::text[], t.skipped
FROM unnest($4, $5, $6, $7, $8, $9) WITH ORDINALITY
  AS t (contact_id, recipient, variant, message_id, parameters, skipped, place)

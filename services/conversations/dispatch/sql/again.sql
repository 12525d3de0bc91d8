-- write(organization_id uuid, message_ids uuid[], kinds text[], claims uuid[], delays int8[], counted int4[], codes int4[], texts text[])
-- Surely not sent by these claims: due again after so many milliseconds. What is not counted was nobody's refusal of the
-- message.
UPDATE outgoing o SET state = 'Due', due_at = clock_timestamp() + a.delay * interval '1 millisecond', attempt = o.attempt - 1 + a.counted,
  error_code = coalesce(a.code, o.error_code), error_text = coalesce(a.text, o.error_text)
FROM unnest($2, $3, $4, $5, $6, $7, $8) AS a (message_id, kind, claim, delay, counted, code, text)
WHERE o.organization_id = $1 AND o.message_id = a.message_id AND o.kind = a.kind AND o.claim = a.claim
  AND o.state IN ('Sending', 'InDoubt')

-- As before, but the messages are locked by a statement of its own. Who waits for a row that is being changed locks its
-- new version, which the waiting statement itself does not see: its update found no row by that place, and the acceptance
-- was lost. The next statement sees it.
CREATE OR REPLACE FUNCTION accept_messages(of_organization uuid, messages uuid[], channel_ids text[])
  RETURNS TABLE (id uuid, conversation_id uuid, contact_id uuid, campaign_id uuid, created_at timestamptz, was text,
                 status text, error_code int, error_text text, status_at timestamptz)
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
  SET jit = off
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET enable_sort = off
  SET enable_incremental_sort = off
AS $$
#variable_conflict use_column
BEGIN
  PERFORM
  FROM (SELECT a.id FROM unnest(messages) AS a (id) ORDER BY a.id OFFSET 0) a
    CROSS JOIN LATERAL (
      SELECT f.id FROM message f
      WHERE (f.organization_id, f.id) >= (of_organization, a.id)
      ORDER BY f.organization_id, f.id LIMIT 1
      FOR NO KEY UPDATE) m;

  RETURN QUERY
  WITH old AS MATERIALIZED (
    SELECT m.row, m.id, m.status, a.channel_message_id, status_rank(m.status) < status_rank('Sent') AS rises,
      (SELECT c.tombstone FROM conversation c
       WHERE (c.organization_id, c.id) >= (of_organization, m.conversation_id)
       ORDER BY c.organization_id, c.id LIMIT 1) AS tombstone
    FROM (SELECT a.id, a.channel_message_id FROM unnest(messages, channel_ids) AS a (id, channel_message_id)
          ORDER BY a.id OFFSET 0) a
      CROSS JOIN LATERAL (
        SELECT f.ctid AS row, f.id, f.status, f.conversation_id FROM message f
        WHERE (f.organization_id, f.id) >= (of_organization, a.id)
        ORDER BY f.organization_id, f.id LIMIT 1) m
    WHERE m.id = a.id
  ), known AS (
    INSERT INTO channel_message (organization_id, key, message_id)
    SELECT of_organization, channel_key(old.channel_message_id), old.id FROM old
    ON CONFLICT DO NOTHING
  )
  UPDATE message m SET
    channel_message_id = CASE WHEN old.tombstone THEN NULL ELSE old.channel_message_id END,
    status = CASE WHEN old.rises THEN 'Sent' ELSE m.status END,
    status_at = CASE WHEN old.rises THEN now() ELSE m.status_at END,
    error_code = CASE WHEN old.rises THEN NULL ELSE m.error_code END,
    error_text = CASE WHEN old.rises THEN NULL ELSE m.error_text END
  FROM old
  WHERE m.ctid = old.row AND m.organization_id = of_organization
  RETURNING m.id, m.conversation_id, m.contact_id, m.campaign_id, m.created_at, old.status, m.status, m.error_code,
    m.error_text, coalesce(m.status_at, now());
END $$;

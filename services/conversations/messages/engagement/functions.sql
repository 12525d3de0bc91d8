-- Version 1 of engagement

-- The campaign messages that inbound messages answer: the quoted one, or else the last one sent in the conversation
-- within 72 hours. The channel's times are whole seconds of its own clock, so a message sent up to 5 s later counts.
-- Messages of deleted campaigns do not count.
CREATE OR REPLACE FUNCTION answered_messages(of_organization uuid, quoted uuid[], conversations uuid[], moments timestamptz[])
  RETURNS TABLE (campaign_id uuid, message_id uuid, sent_at timestamptz, at timestamptz)
  LANGUAGE plpgsql STABLE
  SET search_path FROM CURRENT
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET enable_sort = off
AS $$
BEGIN
  RETURN QUERY
  SELECT m.campaign_id, m.id, m.created_at, n.at
  FROM unnest(quoted, conversations, moments) AS n (quoted, conversation, at) CROSS JOIN LATERAL (
    SELECT q.id, q.campaign_id, q.created_at
    FROM message q
    WHERE q.organization_id = of_organization AND q.id = n.quoted AND q.direction = 'OutBound'
    UNION ALL
    (SELECT l.id, l.campaign_id, l.created_at
     FROM message l
     WHERE n.quoted IS NULL AND l.organization_id = of_organization AND l.direction = 'OutBound'
       AND (l.conversation_id, l.created_at) >= (n.conversation, n.at - interval '72 hours')
       AND (l.conversation_id, l.created_at) <= (n.conversation, n.at + interval '5 seconds')
     ORDER BY l.conversation_id DESC, l.created_at DESC, l.id DESC LIMIT 1)  -- an order that only one index has
  ) m
  WHERE m.campaign_id IS NOT NULL
    AND NOT EXISTS (SELECT FROM campaign c
                    WHERE c.organization_id = of_organization AND c.id = m.campaign_id AND c.deleted_at IS NOT NULL);
END $$;

-- The messages of targets, by their places in the arrays; none for deleted campaigns.
CREATE OR REPLACE FUNCTION target_messages(organizations uuid[], campaigns uuid[], ordinals int[])
  RETURNS TABLE (place bigint, message_id uuid, sent_at timestamptz)
  LANGUAGE plpgsql STABLE
  SET search_path FROM CURRENT
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
AS $$
BEGIN
  RETURN QUERY
  SELECT n.place, m.id, m.created_at
  FROM unnest(organizations, campaigns, ordinals) WITH ORDINALITY AS n (organization, campaign, ordinal, place)
    JOIN target t ON t.organization_id = n.organization AND t.campaign_id = n.campaign AND t.ordinal = n.ordinal
    JOIN message m ON m.organization_id = n.organization AND m.id = t.message_id
  WHERE NOT EXISTS (SELECT FROM campaign c WHERE c.organization_id = n.organization AND c.id = n.campaign
                      AND c.deleted_at IS NOT NULL);
END $$;

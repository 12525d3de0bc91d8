-- Campaigns: a message to many, once each.

ALTER TABLE campaign
  ADD COLUMN description text NOT NULL DEFAULT '',
  ADD COLUMN message jsonb NOT NULL DEFAULT '{"type": "Text", "text": ""}',  -- as the API has it
  ADD COLUMN variants jsonb NOT NULL DEFAULT '[]',  -- others for shares of the recipients: [{"name", "share", "message"}]
  ADD COLUMN list_ids uuid[] NOT NULL DEFAULT '{}',
  ADD COLUMN excluded_list_ids uuid[] NOT NULL DEFAULT '{}',
  ADD COLUMN tag_ids uuid[] NOT NULL DEFAULT '{}',
  ADD COLUMN told_tags text[] NOT NULL DEFAULT '{}',  -- as campaign.described told them last: their ids and labels
  ADD COLUMN phone_number_id text,  -- null until it starts: the account's
  ADD COLUMN scheduled_at timestamptz,
  ADD COLUMN timezone text NOT NULL DEFAULT 'UTC',  -- that its schedule is shown in
  ADD COLUMN allowed_lateness int NOT NULL DEFAULT 3600,  -- seconds after scheduled_at; found later it does not start by itself
  ADD COLUMN messages_per_second int,  -- null: as fast as the number may
  ADD COLUMN status_reason text NOT NULL DEFAULT '',  -- why it is Paused, or Running and waiting
  ADD COLUMN updated_at timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN started_at timestamptz,   -- first Running
  ADD COLUMN finished_at timestamptz,  -- Finished or Cancelled
  ADD COLUMN deleted_at timestamptz,   -- shown no more; its figures and links stay
  -- The stream of its audience: the last contact that has come, and as how many-th. Moved by compare-and-set in the
  -- transaction that adds the targets, so that none is missed or added twice, whoever streams.
  ADD COLUMN audience_done bool NOT NULL DEFAULT false,
  ADD COLUMN audience_after uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  ADD COLUMN audience_count int NOT NULL DEFAULT 0,
  ADD COLUMN audience_owner uuid,               -- who streams; for liveness only
  ADD COLUMN audience_lease timestamptz;        -- until then nobody else does; without an owner: it is not tried again before
CREATE INDEX campaign_running ON campaign (organization_id, phone_number_id) WHERE status = 'Running';
CREATE INDEX campaign_scheduled ON campaign (scheduled_at) WHERE status = 'Scheduled';
CREATE INDEX campaign_cancelled ON campaign (finished_at) WHERE status = 'Cancelled';
CREATE INDEX campaign_audience ON campaign (audience_lease) WHERE status = 'Running' AND NOT audience_done;

-- Whom a campaign is for, as they were when it started: written once, in order. What became of a target is in its
-- message; nothing is updated here while it is sent, so that the millionth costs what the first does.
CREATE TABLE target (
  organization_id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  ordinal int NOT NULL,      -- from 1
  contact_id uuid NOT NULL,
  recipient text NOT NULL,   -- a phone number with its plus, or else the channel's id of a user without one; '' if there is neither
  variant smallint NOT NULL DEFAULT 0,  -- 0: the campaign's message, n: the n-th of its variants
  message_id uuid NOT NULL,  -- that its message will have: a second first attempt is a second row with this key
  parameters text[] NOT NULL,  -- values of the variables of the message, and of nothing else; null where the contact has none
  skipped text CHECK (skipped IN ('OptedOut', 'Blocked', 'Inactive', 'Invalid', 'Duplicate', 'MissingValue', 'Deleted')),
  PRIMARY KEY (organization_id, campaign_id, ordinal)
);
CREATE UNIQUE INDEX target_contact ON target (organization_id, campaign_id, contact_id);

-- Targets are sent in chunks. The owner of the campaign's phone number takes one after the other; one that has another
-- owner was left by a dispatcher that is gone, and what is Queued of it may have been sent.
CREATE TABLE chunk (
  organization_id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  first int NOT NULL,  -- ordinals
  last int NOT NULL,
  owner uuid,          -- the dispatcher
  done bool NOT NULL DEFAULT false,  -- all of it have their message, and none of these is on its way for the first time
  PRIMARY KEY (organization_id, campaign_id, first)
) WITH (fillfactor = 50);
CREATE INDEX chunk_open ON chunk (organization_id, campaign_id, first) WHERE NOT done;

-- How a campaign stands, kept by campaigns::Tally in the transactions that change it. Several rows, of which each
-- transaction takes one at random, so that writers do not wait for each other: sums count, single ones may be negative.
CREATE TABLE campaign_count (
  organization_id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  quarter timestamptz NOT NULL,  -- of an hour: of the message's making, or for ..At of when it happened; of targets and links: 'epoch'
  what text NOT NULL,
  slot smallint NOT NULL,
  n bigint NOT NULL,
  PRIMARY KEY (organization_id, campaign_id, quarter, what, slot)
) WITH (fillfactor = 50);

-- What was last told of a Running campaign, and how fast it was going. Whoever moves `at` tells.
CREATE TABLE campaign_rate (
  organization_id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  since timestamptz NOT NULL,  -- when it began to be looked at, without a gap
  at timestamptz NOT NULL,
  accepted bigint NOT NULL,    -- messages that the channel had judged by then
  rate float8 NOT NULL,        -- of them a second: a look weighs the more the longer it is since the one before
  figures bigint[] NOT NULL,
  PRIMARY KEY (organization_id, campaign_id)
) WITH (fillfactor = 50);

-- What recipients did; made when one first does something. By their message, not by their contact, which may be merged
-- into another: a target has both.
CREATE TABLE engagement (
  organization_id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  message_id uuid NOT NULL,  -- of the target
  replies int NOT NULL DEFAULT 0,
  clicks int NOT NULL DEFAULT 0,
  replied_at timestamptz,  -- the earliest
  clicked_at timestamptz,
  PRIMARY KEY (organization_id, campaign_id, message_id)
) WITH (fillfactor = 80);

-- Where the links in a campaign's messages lead. A link's code has the id, the recipient's ordinal and a tag by the secret:
-- there is no row a recipient, and none can be guessed. Whoever follows one belongs to no organization: the id finds it.
CREATE TABLE campaign_url (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  organization_id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  url text NOT NULL,
  secret bytea NOT NULL CHECK (length(secret) = 16)
);
CREATE UNIQUE INDEX campaign_url_campaign ON campaign_url (organization_id, campaign_id, md5(url));

-- Each time that a link was followed. Who takes a click gives it its id, so that writing it again does no harm.
CREATE TABLE click (
  organization_id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  id uuid NOT NULL,
  url_id bigint NOT NULL,
  ordinal int NOT NULL,   -- of the target
  at timestamptz NOT NULL,
  preview bool NOT NULL,  -- asked for by what shows a link's preview, as far as that can be told
  first bool NOT NULL,    -- this recipient's first on this URL
  PRIMARY KEY (organization_id, campaign_id, id)
);
CREATE UNIQUE INDEX click_first ON click (organization_id, campaign_id, url_id, ordinal) WHERE first;

-- What answers and clicks are about is looked for by these, as batches of them come when the statistics of a campaign
-- that has just begun are not taken yet: the settings leave the planner nothing but the indexes.

-- Campaigns' messages that inbound ones answer: what these quote, or else the last that was sent in their conversations,
-- for 72 hours. The channel tells whole seconds, by its own clock: what was sent just after the answer may be what it is
-- to. Deleted campaigns are not answered.
CREATE FUNCTION answered_messages(of_organization uuid, quoted uuid[], conversations uuid[], moments timestamptz[])
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
     ORDER BY l.conversation_id DESC, l.created_at DESC, l.id DESC LIMIT 1)  -- in this order by one index alone
  ) m
  WHERE m.campaign_id IS NOT NULL
    AND NOT EXISTS (SELECT FROM campaign c
                    WHERE c.organization_id = of_organization AND c.id = m.campaign_id AND c.deleted_at IS NOT NULL);
END $$;

-- The messages of targets, by the targets' places in the arrays. Those of deleted campaigns have none.
CREATE FUNCTION target_messages(organizations uuid[], campaigns uuid[], ordinals int[])
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

-- Of a campaign's message that is to be sent again, or may have been sent. Those of others than Running ones wait.
ALTER TABLE outgoing ADD COLUMN campaign_id uuid;
CREATE INDEX outgoing_campaign ON outgoing (organization_id, campaign_id, state) WHERE campaign_id IS NOT NULL;

-- To how many people outside their service window something was sent first, by hours: the channel limits their number in
-- any 24 hours.
CREATE TABLE reach (
  organization_id uuid NOT NULL,
  hour timestamptz NOT NULL,
  people int NOT NULL,
  PRIMARY KEY (organization_id, hour)
) WITH (fillfactor = 50);
ALTER TABLE phone_number ADD COLUMN messaging_limit text;  -- TIER_250, TIER_2K, TIER_10K, TIER_100K, TIER_UNLIMITED; null: not told

-- Lists that are made of a campaign's recipients, in the background.
CREATE TABLE retarget (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  list_id uuid NOT NULL,
  criteria jsonb NOT NULL,          -- as the API has them
  ordinal int NOT NULL DEFAULT 0,   -- up to here its recipients were looked at
  contacts int NOT NULL DEFAULT 0,  -- of them in the list
  lease_until timestamptz,          -- somebody is at it; for liveness only
  created_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz,
  failure text NOT NULL DEFAULT '',  -- why it ended before its end
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX retarget_open ON retarget (created_at) WHERE finished_at IS NULL;

-- Of contacts that were blocked when it came: no event tells of it, and it is counted nowhere.
ALTER TABLE message ADD COLUMN untold bool NOT NULL DEFAULT false;
ALTER TABLE conversation ADD COLUMN untold bool NOT NULL DEFAULT false;

-- Dispatch. As elsewhere here, what is planned in functions is planned without statistics that can be relied on; what is
-- ruled out there counts as so dear that it would be compiled each time, if it is used after all.

-- Chunks that a dispatcher has begun.
CREATE INDEX chunk_held ON chunk (organization_id, campaign_id, first) WHERE owner IS NOT NULL AND NOT done;

-- As outgoing_numbers() did: the numbers that have rows in the queue, or a Running campaign.
DROP FUNCTION outgoing_numbers(uuid, text, int);
CREATE FUNCTION sending_numbers(after_organization uuid, after_number text, most int)
  RETURNS TABLE (organization_id uuid, phone_number_id text)
  LANGUAGE plpgsql STABLE
  SET search_path FROM CURRENT
  SET jit = off
  SET enable_seqscan = off
  SET enable_bitmapscan = off
AS $$
#variable_conflict use_column
DECLARE
  place record;
BEGIN
  SELECT after_organization AS organization, after_number AS number INTO place;
  FOR n IN 1..most LOOP
    SELECT s.organization, s.number INTO place
    FROM (
      (SELECT o.organization_id AS organization, o.phone_number_id AS number FROM outgoing o
       WHERE (o.organization_id, o.phone_number_id) > (place.organization, place.number)
       ORDER BY o.organization_id, o.phone_number_id LIMIT 1)
      UNION ALL
      (SELECT c.organization_id, c.phone_number_id FROM campaign c
       WHERE c.status = 'Running' AND (c.organization_id, c.phone_number_id) > (place.organization, place.number)
       ORDER BY c.organization_id, c.phone_number_id LIMIT 1)) s
    ORDER BY s.organization, s.number LIMIT 1;
    EXIT WHEN NOT FOUND;
    organization_id := place.organization;
    phone_number_id := place.number;
    RETURN NEXT;
  END LOOP;
END $$;

-- As before, without rows of campaigns that are not Running. Campaigns' rows wait for single messages to their recipient,
-- and hold up none.
CREATE OR REPLACE FUNCTION outgoing_next(of_organization uuid, of_number text, after_due bigint, after_message uuid, seen int,
                                         most int)
  RETURNS TABLE (message_id uuid, kind text, attempt int)
  LANGUAGE plpgsql STABLE
  SET search_path FROM CURRENT
  SET jit = off
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
  SET enable_sort = off
  SET enable_incremental_sort = off
AS $$
BEGIN
  RETURN QUERY
  SELECT d.message_id, d.kind, d.attempt
  FROM (SELECT o.message_id, o.kind, o.attempt, o.recipient, o.created_at, o.due_at, o.campaign_id
        FROM outgoing o
        WHERE o.organization_id = of_organization AND o.phone_number_id = of_number AND o.state = 'Due'
          AND o.due_at <= now()
          AND (o.due_at, o.message_id) > ('epoch'::timestamptz + after_due * interval '1 microsecond', after_message)
        ORDER BY o.due_at, o.message_id LIMIT seen) d
  WHERE (d.campaign_id IS NULL OR EXISTS (
      SELECT FROM campaign c WHERE c.organization_id = of_organization AND c.id = d.campaign_id AND c.status = 'Running'))
    AND NOT EXISTS (
      SELECT FROM outgoing e
      WHERE e.organization_id = of_organization AND e.phone_number_id = of_number AND e.recipient = d.recipient
        AND e.state <> 'InDoubt' AND (e.created_at, e.message_id) < (d.created_at, d.message_id)
        AND e.campaign_id IS NULL)
  LIMIT most;
END $$;

-- Those of a campaign's targets that are to have a message and have none, with why one may not be sent to after all:
-- contacts are deleted, merged and opt out after the campaign's start. Rows are asked for as the first of an order, since
-- only the right index has that: to a planner that thinks a table empty any index is as good, and would be read whole.
CREATE FUNCTION campaign_targets(of_organization uuid, of_campaign uuid, ordinals int[])
  RETURNS TABLE (place bigint, ordinal int, contact_id uuid, message_id uuid, reason text)
  LANGUAGE plpgsql STABLE
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
  RETURN QUERY
  SELECT w.place, w.ordinal, t.contact_id, t.message_id,
    CASE WHEN t.is_double THEN 'Duplicate'
         WHEN (SELECT true FROM removal r
               WHERE r.organization_id = of_organization AND r.kind IN ('contact', 'lost contact') AND r.id = t.contact_id
               LIMIT 1) THEN 'Deleted'
         ELSE (SELECT CASE WHEN s.blocked THEN 'Blocked' WHEN s.opted_out THEN 'OptedOut' END
               FROM suppression s WHERE s.organization_id = of_organization AND s.contact_id = t.contact_id) END AS reason
  FROM unnest(ordinals) WITH ORDINALITY AS w (ordinal, place)
    CROSS JOIN LATERAL (
      SELECT coalesce(g.into_id, t.contact_id) AS contact_id, t.message_id,
        g.into_id IS NOT NULL AND EXISTS (
          SELECT FROM target d
          WHERE d.organization_id = of_organization AND d.campaign_id = of_campaign AND d.contact_id = g.into_id) AS is_double
      FROM (SELECT f.campaign_id, f.ordinal, f.contact_id, f.message_id, f.skipped
            FROM target f
            WHERE (f.organization_id, f.campaign_id, f.ordinal) >= (of_organization, of_campaign, w.ordinal)
            ORDER BY f.organization_id, f.campaign_id, f.ordinal LIMIT 1) t
        LEFT JOIN merged_contact g ON g.organization_id = of_organization AND g.contact_id = t.contact_id
      WHERE t.campaign_id = of_campaign AND t.ordinal = w.ordinal AND t.skipped IS NULL) t
  WHERE (SELECT m.id FROM message m
         WHERE (m.organization_id, m.id) >= (of_organization, t.message_id)
         ORDER BY m.organization_id, m.id LIMIT 1) IS DISTINCT FROM t.message_id;
END $$;

-- The intents of some of a campaign's targets, in one transaction with what they tell: what comes back is to be sent by
-- who made it, after the commit, and by nobody else ever. A row each, made Queued or skipped for a reason, whoever asks
-- for them again; none for a target whose message is there already. A single row without a message says why nothing was
-- done: NotMine, as another dispatcher has the number, or NotRunning.
--
-- The message's key is the fence. The number's row stays locked until the commit, against being taken (FOR UPDATE) but not
-- against a longer lease: who takes a chunk afterwards sees all that its former owner made. Nobody who has conversations
-- locked waits for that row. Conversations are locked in order of the contacts.
CREATE FUNCTION campaign_intents(of_organization uuid, of_number text, of_owner uuid, of_campaign uuid, ordinals int[],
                                 conversations uuid[], types text[], contents text[])
  RETURNS TABLE (message_id uuid, contact_id uuid, conversation_id uuid, created_at timestamptz, fate text)
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
DECLARE
  fit record;
BEGIN
  PERFORM FROM sender s
  WHERE s.organization_id = of_organization AND s.phone_number_id = of_number AND s.owner = of_owner FOR KEY SHARE;
  IF NOT FOUND THEN
    RETURN QUERY SELECT NULL::uuid, NULL::uuid, NULL::uuid, NULL::timestamptz, 'NotMine';
    RETURN;
  END IF;
  IF NOT EXISTS (
       SELECT FROM campaign c WHERE c.organization_id = of_organization AND c.id = of_campaign AND c.status = 'Running')
     OR EXISTS (SELECT FROM removal r WHERE r.organization_id = of_organization AND r.kind = 'organization') THEN
    RETURN QUERY SELECT NULL::uuid, NULL::uuid, NULL::uuid, NULL::timestamptz, 'NotRunning';
    RETURN;
  END IF;

  SELECT array_agg(t.place ORDER BY t.contact_id) FILTER (WHERE t.reason IS NULL) AS places,
    array_agg(t.contact_id ORDER BY t.contact_id) FILTER (WHERE t.reason IS NULL) AS contacts,
    array_agg(t.message_id ORDER BY t.contact_id) FILTER (WHERE t.reason IS NULL) AS messages,
    array_agg(t.ordinal ORDER BY t.ordinal) FILTER (WHERE t.reason IS NOT NULL) AS skipped,
    array_agg(t.reason ORDER BY t.ordinal) FILTER (WHERE t.reason IS NOT NULL) AS reasons
  INTO fit
  FROM campaign_targets(of_organization, of_campaign, ordinals) t;

  INSERT INTO conversation AS c (organization_id, id, contact_id, campaign_id, initiated_by)
  SELECT DISTINCT ON (w.contact_id) of_organization, conversations[w.place], w.contact_id, of_campaign, 'Campaign'
  FROM unnest(fit.places, fit.contacts) AS w (place, contact_id)
  ORDER BY w.contact_id
  ON CONFLICT (organization_id, contact_id) WHERE status = 'Active' DO UPDATE SET status = c.status;

  RETURN QUERY
  INSERT INTO message AS m (organization_id, id, conversation_id, contact_id, campaign_id, direction, status, status_at,
    message_type, data, created_at)
  SELECT of_organization, w.message_id,
    (SELECT CASE c.contact_id WHEN w.contact_id THEN c.id END FROM conversation c
     WHERE (c.organization_id, c.contact_id) >= (of_organization, w.contact_id) AND c.status = 'Active'
     ORDER BY c.organization_id, c.contact_id LIMIT 1),
    w.contact_id, of_campaign, 'OutBound', 'Queued', clock_timestamp(), types[w.place], contents[w.place]::jsonb,
    clock_timestamp()
  FROM unnest(fit.places, fit.contacts, fit.messages) AS w (place, contact_id, message_id)
  ON CONFLICT DO NOTHING
  RETURNING m.id, m.contact_id, m.conversation_id, m.created_at, 'Queued';

  IF fit.skipped IS NOT NULL THEN
    RETURN QUERY
    UPDATE target t SET skipped = w.reason
    FROM unnest(fit.skipped, fit.reasons) AS w (ordinal, reason)
    WHERE t.organization_id = of_organization AND t.campaign_id = of_campaign AND t.ordinal = w.ordinal
      AND t.skipped IS NULL
    RETURNING t.message_id, t.contact_id, NULL::uuid, NULL::timestamptz, t.skipped;
  END IF;
END $$;

-- The targets of a chunk that have no message yet, in order.
CREATE FUNCTION chunk_targets(of_organization uuid, of_campaign uuid, first int, last int)
  RETURNS TABLE (ordinal int, recipient text, variant int, message_id uuid, parameters text[])
  LANGUAGE plpgsql STABLE
  SET search_path FROM CURRENT
  SET jit = off
  SET enable_seqscan = off
  SET enable_bitmapscan = off
  SET enable_sort = off
  SET enable_incremental_sort = off
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT t.ordinal, t.recipient, t.variant::int, t.message_id, t.parameters
  FROM (SELECT t.ordinal, t.recipient, t.variant, t.message_id, t.parameters, t.skipped FROM target t
        WHERE t.organization_id = of_organization AND t.campaign_id = of_campaign AND t.ordinal BETWEEN first AND last
        ORDER BY t.ordinal OFFSET 0) t
  WHERE t.skipped IS NULL
    AND (SELECT m.id FROM message m
         WHERE (m.organization_id, m.id) >= (of_organization, t.message_id)
         ORDER BY m.organization_id, m.id LIMIT 1) IS DISTINCT FROM t.message_id;
END $$;

-- What is Queued of these targets and stands in no queue is being sent by somebody or was when he died: it is in doubt,
-- for so many milliseconds. Does no harm to what is still on its way: its result finds the row by its claim, which is the
-- message's id.
CREATE FUNCTION chunk_doubts(of_organization uuid, of_campaign uuid, first int, last int, doubt bigint) RETURNS void
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
DECLARE
  ordinals int[];
  messages uuid[];
BEGIN
  SELECT array_agg(t.ordinal ORDER BY m.id), array_agg(m.id ORDER BY m.id) INTO ordinals, messages
  FROM (SELECT t.ordinal, t.message_id FROM target t
        WHERE t.organization_id = of_organization AND t.campaign_id = of_campaign AND t.ordinal BETWEEN first AND last
        ORDER BY t.ordinal OFFSET 0) t
    CROSS JOIN LATERAL (
      SELECT m.id, m.status FROM message m
      WHERE (m.organization_id, m.id) >= (of_organization, t.message_id)
      ORDER BY m.organization_id, m.id LIMIT 1) m
  WHERE m.id = t.message_id AND m.status = 'Queued'
    AND (SELECT true FROM outgoing o
         WHERE o.organization_id = of_organization AND o.message_id = m.id AND o.kind = 'Message') IS NULL;
  IF messages IS NULL THEN
    RETURN;
  END IF;

  WITH still AS (
    SELECT m.id, m.contact_id, m.created_at FROM message m
    WHERE m.organization_id = of_organization AND m.id = ANY (messages) AND m.status = 'Queued'
    ORDER BY m.id
    FOR NO KEY UPDATE
  )
  INSERT INTO outgoing (organization_id, message_id, kind, phone_number_id, contact_id, recipient, state, attempt, claim,
    due_at, expires_at, created_at, campaign_id)
  SELECT of_organization, s.id, 'Message', c.phone_number_id, s.contact_id, t.recipient, 'InDoubt', 1, s.id,
    now() + doubt * interval '1 millisecond', 'infinity', s.created_at, of_campaign
  FROM still s
    JOIN unnest(ordinals, messages) AS w (ordinal, id) ON w.id = s.id
    JOIN target t ON t.organization_id = of_organization AND t.campaign_id = of_campaign AND t.ordinal = w.ordinal
    JOIN campaign c ON c.organization_id = of_organization AND c.id = of_campaign
  ORDER BY s.id
  ON CONFLICT DO NOTHING;
END $$;

-- The channel has these messages. A status may have come before its answer. The channel's id has a phone number in it: it
-- is not kept for a contact that was deleted meanwhile.
CREATE FUNCTION accept_messages(of_organization uuid, messages uuid[], channel_ids text[])
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
        ORDER BY f.organization_id, f.id LIMIT 1
        FOR NO KEY UPDATE) m
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

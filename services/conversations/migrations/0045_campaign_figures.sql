-- What became of a campaign's recipients, by variant and by reason. Counted by triggers, so that what the release before
-- writes beside this one counts too.

-- As target.variant. NULL: of no campaign, or made before this column; such messages are in no figure below.
ALTER TABLE message ADD COLUMN variant smallint;

-- As conversation_tally: per statement, and as many rows of a kind as it had concurrent writers. Single rows may be
-- negative.
CREATE TABLE campaign_figure (
  organization_id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  variant smallint NOT NULL,  -- as target.variant
  what text NOT NULL,         -- Targets, Skipped, the status of a message, Replied or Clicked
  reason text NOT NULL,       -- of Skipped, Failed and UnDelivered, as GET recipients has it; else ''
  slot bigint GENERATED ALWAYS AS IDENTITY,
  n bigint NOT NULL,
  PRIMARY KEY (organization_id, campaign_id, variant, what, reason, slot)
) WITH (fillfactor = 50);

-- Why a message failed, as GET recipients has it. Inlined by the planner.
CREATE FUNCTION failure_reason(status text, error_code int, error_text text) RETURNS text
  LANGUAGE sql IMMUTABLE
  AS $$ SELECT CASE WHEN $1 NOT IN ('Failed', 'UnDelivered') THEN ''
                    WHEN $2 IS NOT NULL THEN $2::text
                    WHEN coalesce($3, 'unknown') = 'unknown' THEN 'unknown'
                    ELSE 'NotSent' END $$;

CREATE FUNCTION add_to_campaign_figures(change campaign_figure) RETURNS void
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
AS $$
BEGIN
  -- Not a join: see change_conversation_totals().
  UPDATE campaign_figure f SET n = f.n + change.n
  WHERE f.organization_id = change.organization_id AND f.campaign_id = change.campaign_id AND f.variant = change.variant
    AND f.what = change.what AND f.reason = change.reason AND f.slot = (
      SELECT s.slot FROM campaign_figure s
      WHERE s.organization_id = change.organization_id AND s.campaign_id = change.campaign_id
        AND s.variant = change.variant AND s.what = change.what AND s.reason = change.reason
      LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED);
  IF NOT FOUND THEN
    INSERT INTO campaign_figure (organization_id, campaign_id, variant, what, reason, n)
    VALUES (change.organization_id, change.campaign_id, change.variant, change.what, change.reason, change.n);
  END IF;
END $$;

CREATE FUNCTION figure_made_messages() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
  SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  change campaign_figure;
BEGIN
  FOR change IN
    SELECT organization_id, campaign_id, variant, status, failure_reason(status, error_code, error_text), NULL, count(*)
    FROM added WHERE campaign_id IS NOT NULL AND variant IS NOT NULL GROUP BY 1, 2, 3, 4, 5
  LOOP
    PERFORM add_to_campaign_figures(change);
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER figure_made AFTER INSERT ON message REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION figure_made_messages();

CREATE FUNCTION figure_changed_messages() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
  SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  change campaign_figure;
BEGIN
  FOR change IN
    SELECT organization_id, campaign_id, variant, status, failure_reason(status, error_code, error_text), NULL, sum(sign)
    FROM (SELECT -1 AS sign, r.organization_id, r.campaign_id, r.variant, r.status, r.error_code, r.error_text FROM removed r
          UNION ALL
          SELECT 1, a.organization_id, a.campaign_id, a.variant, a.status, a.error_code, a.error_text FROM added a) c
    WHERE campaign_id IS NOT NULL AND variant IS NOT NULL
    GROUP BY 1, 2, 3, 4, 5 HAVING sum(sign) <> 0
  LOOP
    PERFORM add_to_campaign_figures(change);
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER figure_changed AFTER UPDATE ON message REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION figure_changed_messages();

CREATE FUNCTION figure_made_targets() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
  SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  change campaign_figure;
BEGIN
  FOR change IN
    SELECT organization_id, campaign_id, variant, 'Targets', '', NULL, count(*) FROM added GROUP BY 1, 2, 3
    UNION ALL
    SELECT organization_id, campaign_id, variant, 'Skipped', skipped, NULL, count(*)
    FROM added WHERE skipped IS NOT NULL GROUP BY 1, 2, 3, 5
  LOOP
    PERFORM add_to_campaign_figures(change);
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER figure_made AFTER INSERT ON target REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION figure_made_targets();

CREATE FUNCTION figure_changed_targets() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
  SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  change campaign_figure;
BEGIN
  FOR change IN
    SELECT organization_id, campaign_id, variant, 'Skipped', skipped, NULL, sum(sign)
    FROM (SELECT -1 AS sign, r.organization_id, r.campaign_id, r.variant, r.skipped FROM removed r
          UNION ALL
          SELECT 1, a.organization_id, a.campaign_id, a.variant, a.skipped FROM added a) c
    WHERE skipped IS NOT NULL
    GROUP BY 1, 2, 3, 5 HAVING sum(sign) <> 0
  LOOP
    PERFORM add_to_campaign_figures(change);
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER figure_changed AFTER UPDATE ON target REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION figure_changed_targets();

-- Who replied and who clicked, once each: an engagement has its message's variant.
CREATE FUNCTION figure_engagements() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
  SET plan_cache_mode = force_generic_plan
  SET enable_seqscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
AS $$
DECLARE
  change campaign_figure;
BEGIN
  IF TG_OP = 'INSERT' THEN
    FOR change IN
      SELECT a.organization_id, a.campaign_id, m.variant, w.what, '', NULL, count(*)
      FROM added a
        JOIN message m ON m.organization_id = a.organization_id AND m.id = a.message_id
        CROSS JOIN LATERAL (VALUES ('Replied', a.replies), ('Clicked', a.clicks)) AS w (what, times)
      WHERE w.times > 0 AND m.variant IS NOT NULL
      GROUP BY 1, 2, 3, 4
    LOOP
      PERFORM add_to_campaign_figures(change);
    END LOOP;
  ELSE
    FOR change IN
      SELECT a.organization_id, a.campaign_id, m.variant, w.what, '', NULL, count(*)
      FROM added a
        JOIN removed r ON r.organization_id = a.organization_id AND r.campaign_id = a.campaign_id
          AND r.message_id = a.message_id
        JOIN message m ON m.organization_id = a.organization_id AND m.id = a.message_id
        CROSS JOIN LATERAL (VALUES ('Replied', r.replies, a.replies), ('Clicked', r.clicks, a.clicks)) AS w (what, was, times)
      WHERE w.was = 0 AND w.times > 0 AND m.variant IS NOT NULL
      GROUP BY 1, 2, 3, 4
    LOOP
      PERFORM add_to_campaign_figures(change);
    END LOOP;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER figure_made AFTER INSERT ON engagement REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION figure_engagements();
CREATE TRIGGER figure_changed AFTER UPDATE ON engagement REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION figure_engagements();

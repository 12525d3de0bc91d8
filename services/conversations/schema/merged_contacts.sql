-- Contacts merged into others, kept while rows may still be written under the old id. Recipients of a campaign that are
-- one person are sent to once.
CREATE TABLE merged_contact (
  organization_id uuid NOT NULL,
  contact_id uuid NOT NULL,
  into_id uuid NOT NULL,
  PRIMARY KEY (organization_id, contact_id)
);
CREATE INDEX merged_contact_into ON merged_contact (organization_id, into_id);

-- Keeps a merge that is deleted too early. Otherwise rows under the old id get the new one, or, where another recipient
-- has that, lose the recipient's data: after that nobody knows whose old id it was.
CREATE FUNCTION forget_merged() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
  SET jit = off
  SET enable_seqscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
AS $$
DECLARE
  named record;
BEGIN
  IF EXISTS (SELECT FROM merged_contact g
             WHERE g.organization_id = OLD.organization_id AND g.contact_id = OLD.into_id AND g.into_id = OLD.contact_id) THEN
    RETURN OLD;  -- it is there again, with all that it had
  END IF;
  IF is_open_recipient(OLD.organization_id, OLD.contact_id) THEN
    RETURN NULL;
  END IF;
  FOR named IN
    SELECT t.campaign_id, t.ordinal, EXISTS (SELECT FROM target_of(OLD.organization_id, c.id, OLD.into_id)) AS twice
    FROM campaign c CROSS JOIN LATERAL target_of(OLD.organization_id, c.id, OLD.contact_id) t
    WHERE c.organization_id = OLD.organization_id
    ORDER BY t.campaign_id
  LOOP
    -- Both keys, so that either's index finds the row.
    UPDATE target t SET
      contact_id = CASE WHEN named.twice THEN t.contact_id ELSE OLD.into_id END,
      recipient = CASE WHEN named.twice THEN '' ELSE t.recipient END,
      parameters = CASE WHEN named.twice THEN '{}' ELSE t.parameters END
    WHERE t.organization_id = OLD.organization_id AND t.campaign_id = named.campaign_id AND t.ordinal = named.ordinal
      AND t.contact_id = OLD.contact_id;
  END LOOP;
  RETURN OLD;
END $$;
CREATE TRIGGER forget_merged BEFORE DELETE ON merged_contact FOR EACH ROW EXECUTE FUNCTION forget_merged();

-- Postpones the removal of a contact while a recipient has data under another id of the same person, whose own removal
-- comes next.
CREATE FUNCTION keep_removal() RETURNS trigger
  LANGUAGE plpgsql
  SET search_path FROM CURRENT
  SET jit = off
  SET enable_seqscan = off
  SET enable_hashjoin = off
  SET enable_mergejoin = off
AS $$
BEGIN
  IF EXISTS (SELECT FROM merged_contact g
               JOIN campaign c ON c.organization_id = OLD.organization_id
               CROSS JOIN LATERAL target_of(OLD.organization_id, c.id, g.contact_id) t
             WHERE g.organization_id = OLD.organization_id AND g.into_id = OLD.id
               AND (t.recipient <> '' OR t.parameters <> '{}')) THEN
    UPDATE removal r SET due_at = now() + interval '5 seconds'
    WHERE r.organization_id = OLD.organization_id AND r.kind = OLD.kind AND r.id = OLD.id;
    RETURN NULL;
  END IF;
  RETURN OLD;
END $$;

CREATE TRIGGER keep_removal BEFORE DELETE ON removal FOR EACH ROW
  WHEN (OLD.kind IN ('contact', 'lost contact') AND OLD.due_at <= now()) EXECUTE FUNCTION keep_removal();

-- Progress of comparing all known contacts with the contacts service: one row while a comparison runs, with the last
-- contact compared. Advanced by compare-and-set in the transaction that applies the differences.
CREATE TABLE contact_walk (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  walk uuid NOT NULL DEFAULT gen_random_uuid(),
  organization_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
  contact_id uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000'
);

-- A test of a campaign's messages: a share of the recipients is sent the message and its variants, the rest waits and is
-- sent the winner. Start the first one when no release before this one runs: that one sends variants to all.
ALTER TABLE campaign
  ADD COLUMN experiment jsonb,  -- as in the API: share, rule, minimum, decideAfterSeconds, decideAt
  ADD COLUMN experiment_tested_at timestamptz,  -- when all of the test part was found sent
  ADD COLUMN experiment_due_at timestamptz,     -- when the rule decides; null: not before a member does
  -- The variant that the rest is sent. Set once, by compare-and-set, in the transaction that makes the rest's chunks.
  ADD COLUMN winner smallint,
  ADD COLUMN decided_at timestamptz,
  ADD COLUMN decided_by text CONSTRAINT campaign_decided_by CHECK (decided_by IN ('Rule', 'Member'));
CREATE INDEX campaign_undecided ON campaign (organization_id, id)
  WHERE status = 'Running' AND experiment IS NOT NULL AND winner IS NULL;

-- A chunk is of the test part, or of the rest: of the targets whose variant is -1. The rest is divided at other ordinals
-- (0, 500, ..) than the test part (1, 501, ..), as a chunk's first is its key.
ALTER TABLE chunk ADD COLUMN rest bool NOT NULL DEFAULT false;

-- Also against the release before, which knows no rest that waits.
CREATE FUNCTION keep_undecided() RETURNS trigger
  LANGUAGE plpgsql
AS $$
BEGIN
  RETURN NULL;
END $$;
CREATE TRIGGER keep_undecided BEFORE UPDATE OF status ON campaign FOR EACH ROW
  WHEN (NEW.status = 'Finished' AND NEW.experiment IS NOT NULL AND NEW.winner IS NULL)
  EXECUTE FUNCTION keep_undecided();

DROP TRIGGER raise_version ON campaign;
CREATE TRIGGER raise_version BEFORE UPDATE OF name, description, status, message, variants, list_ids, excluded_list_ids,
    segment_ids, tag_ids, phone_number_id, scheduled_at, timezone, allowed_lateness, messages_per_second, experiment, winner
  ON campaign FOR EACH ROW
  WHEN ((OLD.name, OLD.description, OLD.status, OLD.message, OLD.variants, OLD.list_ids, OLD.excluded_list_ids,
         OLD.segment_ids, OLD.tag_ids, OLD.phone_number_id, OLD.scheduled_at, OLD.timezone, OLD.allowed_lateness,
         OLD.messages_per_second, OLD.experiment, OLD.winner)
          IS DISTINCT FROM
        (NEW.name, NEW.description, NEW.status, NEW.message, NEW.variants, NEW.list_ids, NEW.excluded_list_ids,
         NEW.segment_ids, NEW.tag_ids, NEW.phone_number_id, NEW.scheduled_at, NEW.timezone, NEW.allowed_lateness,
         NEW.messages_per_second, NEW.experiment, NEW.winner))
  EXECUTE FUNCTION raise_version();

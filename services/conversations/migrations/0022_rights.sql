-- Who answers for what is told, and how much an organization may have.

-- The member who said last where a webhook leads and what it hears: it is called for as long as they may see that. Null:
-- it was made before this was noted.
ALTER TABLE webhook
  ADD COLUMN answerable_id uuid,
  ADD COLUMN check_due_at timestamptz,  -- when organizations is asked whether they still may
  ADD COLUMN disabled_reason text;      -- null: it failed for too long
CREATE INDEX webhook_check ON webhook (check_due_at) WHERE check_due_at IS NOT NULL;

-- Where an operator has given an organization other limits than all have: see common/chassis/quotas.hpp.
CREATE TABLE quota (
  organization_id uuid NOT NULL,
  name text NOT NULL,
  most bigint NOT NULL CHECK (most >= 0),
  PRIMARY KEY (organization_id, name)
);

CREATE INDEX campaign_draft ON campaign (organization_id) WHERE status = 'Draft' AND deleted_at IS NULL;

-- What counts against the limit of that name: of campaigns those that have not ended.
CREATE FUNCTION quota_used(organization uuid, quota text) RETURNS bigint
  LANGUAGE sql STABLE
  AS $$ SELECT CASE quota
    WHEN 'campaigns' THEN (SELECT count(*) FROM campaign
                           WHERE organization_id = organization AND status = 'Draft' AND deleted_at IS NULL)
                        + (SELECT count(*) FROM campaign
                           WHERE organization_id = organization AND status IN ('Scheduled', 'Running', 'Paused')
                             AND deleted_at IS NULL)
    WHEN 'webhooks' THEN (SELECT count(*) FROM webhook WHERE organization_id = organization)
  END $$;

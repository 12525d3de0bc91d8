-- Deletions whose rows are still being removed. Part of the schema of each service that removes in the background.

-- Written in the transaction that deletes; from then on nothing of the deleted thing is shown. See common/removals.
CREATE TABLE removal (
  organization_id uuid NOT NULL,
  kind text NOT NULL,
  id uuid NOT NULL,  -- of the deleted thing
  started_at timestamptz NOT NULL DEFAULT now(),
  due_at timestamptz NOT NULL DEFAULT now(),  -- when the next step is due
  finished_at timestamptz,                    -- of those that are kept
  PRIMARY KEY (organization_id, kind, id)
);
CREATE INDEX removal_due ON removal (due_at) WHERE finished_at IS NULL;

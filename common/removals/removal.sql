-- Deletions whose rows are still being removed. Part of the schema of each service that removes in the background.

-- A row is written in the transaction that deletes; nothing of what it names is shown from then on. See common/removals.
CREATE TABLE removal (
  organization_id uuid NOT NULL,
  kind text NOT NULL,
  id uuid NOT NULL,  -- of what was deleted
  started_at timestamptz NOT NULL DEFAULT now(),
  due_at timestamptz NOT NULL DEFAULT now(),  -- when it is to be worked on again
  finished_at timestamptz,                    -- of those that are kept
  PRIMARY KEY (organization_id, kind, id)
);
CREATE INDEX removal_due ON removal (due_at) WHERE finished_at IS NULL;

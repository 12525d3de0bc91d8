-- What is no more and may still have rows here: see common/removals.

-- A row is written in the transaction that deletes; nothing of what it names is shown from then on.
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

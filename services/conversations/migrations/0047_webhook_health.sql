-- Of each webhook, what webhook.health told last. The release before tells nothing of it, and leaves it.
ALTER TABLE webhook ADD COLUMN told_health text NOT NULL DEFAULT 'Healthy'
  CHECK (told_health IN ('Healthy', 'Failing', 'Disabled'));

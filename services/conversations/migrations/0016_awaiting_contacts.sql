-- Elements of webhooks whose sender contacts could not tell, as it answered nobody: they are taken when it is back, however
-- many there are, and tried no sooner.
ALTER TABLE parked_element ADD COLUMN awaits_contacts boolean NOT NULL DEFAULT false;
CREATE INDEX parked_element_awaiting ON parked_element (due_at, id) WHERE awaits_contacts;
-- In place of parked_element_due, which is left to the version before this one.
CREATE INDEX parked_element_ready ON parked_element (due_at, id) WHERE due_at IS NOT NULL AND NOT awaits_contacts;

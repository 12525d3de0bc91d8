-- What an element of a webhook waits for, and its `attempts` count: the message that it is about (or nothing, when it is
-- not tried again by itself), an answer about it, or a service that answers nobody. What waits for a service is taken
-- when that is back, however much it is, and tried no sooner.
ALTER TABLE parked_element
  ADD COLUMN awaits text NOT NULL DEFAULT 'message' CHECK (awaits IN ('message', 'answer', 'contacts', 'organizations'));
-- In place of parked_element_due, which is left to the version before this one.
CREATE INDEX parked_element_awaiting ON parked_element (awaits, due_at, id) WHERE due_at IS NOT NULL;

-- Until then somebody asks other services about the body, and others pass it over.
ALTER TABLE inbox ADD COLUMN asked_until timestamptz;

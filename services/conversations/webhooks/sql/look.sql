-- read()
SELECT EXISTS (SELECT FROM inbox) OR EXISTS (SELECT FROM parked_element WHERE due_at <= now())

-- write(producer text, epoch uuid, position int8, changes jsonb, error text)
INSERT INTO parked_event (producer, epoch, position, changes, error) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING

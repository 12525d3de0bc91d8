-- write(id text, most int8)
UPDATE parked_event p SET due_at = now()
FROM (SELECT producer, epoch, position FROM parked_event
      WHERE CASE WHEN $1 IS NULL THEN due_at IS NULL ELSE producer || '/' || position = $1 END
      ORDER BY producer, epoch, position LIMIT $2
      FOR UPDATE) w
WHERE p.producer = w.producer AND p.epoch = w.epoch AND p.position = w.position

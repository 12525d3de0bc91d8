-- write(producer text, applied_to timestamptz)
-- In the transaction that has moved the cursor.
INSERT INTO feed_coverage AS f (producer, epoch, position, applied_to)
SELECT producer, epoch, position, $2 FROM feed_cursor WHERE producer = $1 AND epoch IS NOT NULL
ON CONFLICT (producer) DO UPDATE SET
  epoch = excluded.epoch, position = excluded.position, applied_to = greatest(f.applied_to, excluded.applied_to)

-- write(producer text)
-- What another epoch's feed still has of the one before is the same up to the backup that it was restored from; what is
-- newer bears the old positions too, and a moment after all that was applied.
INSERT INTO feed_coverage AS f (producer, epoch, position, exact_from)
SELECT producer, epoch, position, now() FROM feed_cursor WHERE producer = $1
ON CONFLICT (producer) DO UPDATE SET
  epoch = excluded.epoch, position = excluded.position, exact_from = excluded.exact_from,
  repeated_to = CASE WHEN f.epoch = excluded.epoch THEN f.repeated_to ELSE f.position END,
  repeated_until = CASE WHEN f.epoch = excluded.epoch THEN f.repeated_until ELSE f.applied_to END

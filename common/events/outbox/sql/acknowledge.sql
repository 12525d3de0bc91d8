-- write(name text, position int8, epoch uuid)
UPDATE feed_consumer c SET acknowledged = $2, seen_at = now()
FROM feed_now() feed
WHERE c.name = $1 AND c.acknowledged < $2 AND feed.epoch = $3 AND $2 <= feed.head

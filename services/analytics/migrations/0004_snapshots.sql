-- Where a feed cannot be followed, what it told is made anew from a snapshot: nothing is lacking or counted twice after
-- that but what the producer itself does not know any more.

-- The program before this one writes the other columns; nobody reads them.
ALTER TABLE feed_coverage ALTER COLUMN epoch DROP NOT NULL, ALTER COLUMN position DROP NOT NULL;

-- Sums of contacts were not told of a feed with a gap. They are of what a snapshot has made whole.
UPDATE feed_cursor SET epoch = '00000000-0000-0000-0000-000000000000'
WHERE producer IN (SELECT producer FROM feed_coverage WHERE producer = 'contacts' AND exact_from IS NOT NULL);

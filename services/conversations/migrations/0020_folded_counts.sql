-- Not in a transaction, so that nobody who writes waits for it. What is there is of an attempt that failed.
--
-- Quarters of an hour that are over are folded: of each, what was counted of one thing becomes a single row, with slot -1, and
-- is added to a row of the whole campaign, "Folded " and what was counted, with quarter '-infinity' and slot 0. So sums by quarter
-- and sums by name stay what they are, and how a campaign stands is the sum of its rows with slots from 0 on: of what was folded,
-- of the latest quarters, and of what came late for earlier ones and is folded in its turn.
DROP INDEX CONCURRENTLY IF EXISTS campaign_count_open;
CREATE INDEX CONCURRENTLY campaign_count_open ON campaign_count (organization_id, campaign_id) WHERE slot >= 0;
DROP INDEX CONCURRENTLY IF EXISTS campaign_count_past;
CREATE INDEX CONCURRENTLY campaign_count_past ON campaign_count (quarter) WHERE slot >= 0 AND quarter > 'epoch';

-- The next delivery, whoever's it is.
DROP INDEX CONCURRENTLY IF EXISTS webhook_delivery_next;
CREATE INDEX CONCURRENTLY webhook_delivery_next ON webhook_delivery (due_at) WHERE due_at IS NOT NULL;

-- Not in a transaction
-- Counting and pruning what is set aside must not read all of it: messages of groups may be many.
DROP INDEX CONCURRENTLY IF EXISTS parked_element_parked;
CREATE INDEX CONCURRENTLY parked_element_parked ON parked_element (parked_at);
DROP INDEX CONCURRENTLY IF EXISTS parked_element_stuck;
CREATE INDEX CONCURRENTLY parked_element_stuck ON parked_element (id) WHERE due_at IS NULL AND kind <> 'group';
DROP INDEX CONCURRENTLY IF EXISTS parked_element_group;
CREATE INDEX CONCURRENTLY parked_element_group ON parked_element (id) WHERE kind = 'group';

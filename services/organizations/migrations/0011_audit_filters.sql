-- Not in a transaction
-- What the audit is filtered by, each in the order of its pages.
DROP INDEX CONCURRENTLY IF EXISTS audit_action;
CREATE INDEX CONCURRENTLY audit_action ON audit (organization_id, action, created_at, id);
DROP INDEX CONCURRENTLY IF EXISTS audit_member;
CREATE INDEX CONCURRENTLY audit_member ON audit (organization_id, member_id, created_at, id) INCLUDE (action);

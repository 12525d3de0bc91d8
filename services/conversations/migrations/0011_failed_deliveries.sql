-- Deliveries that were given up are found without reading the log, for operators who list them or have them tried again.
CREATE INDEX webhook_delivery_failed ON webhook_delivery (organization_id, webhook_id, id) WHERE state = 'Failed';

-- A migration that makes one of incarnation()'s tables anew must not lift the halt of a database that was restored from an
-- older dump. It begins with
--   UPDATE feed SET home = NULL WHERE NOT is_restored();
-- and ends with
--   UPDATE feed SET home = incarnation() WHERE home IS NULL;

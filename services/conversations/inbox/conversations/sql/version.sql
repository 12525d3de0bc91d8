-- read(organization_id uuid)
SELECT (SELECT /*include version*/) AS version, /*include epoch*/ AS epoch

-- write(organization_id uuid, contact_ids uuid[], opted_out bool[], moments timestamptz[])
-- The newer word wins; at equal times the one processed last. Returns the changed contacts with the previous state.
WITH n AS (SELECT * FROM unnest($2, $3, $4) AS n (contact_id, opted_out, at)),
old AS (
  SELECT s.contact_id, s.opted_out
  FROM n JOIN suppression s ON s.organization_id = $1 AND s.contact_id = n.contact_id
  WHERE s.opted_out_at < n.at OR (s.opted_out_at = n.at AND s.opted_out <> n.opted_out)
  ORDER BY s.contact_id
  FOR UPDATE OF s
)
UPDATE suppression s
SET opted_out = n.opted_out, opted_out_at = n.at
FROM n JOIN old USING (contact_id)
WHERE s.organization_id = $1 AND s.contact_id = n.contact_id
RETURNING s.contact_id, s.opted_out, s.opted_out_at AS at, old.opted_out AS was_opted_out

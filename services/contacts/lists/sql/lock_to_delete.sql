-- write(organization_id uuid, id uuid)
-- Waits for those who add members, who wait for the tally later: the row must be had before the tally is touched.
SELECT id FROM list WHERE organization_id = $1 AND id = $2 FOR UPDATE

-- write(most int8)
-- Merges of contacts that were remembered for campaigns alone, which are over now.
DELETE FROM merged_contact WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM merged_contact m
  WHERE NOT EXISTS (SELECT FROM removal r
                    WHERE r.organization_id = m.organization_id AND r.kind = 'merged contact' AND r.id = m.contact_id)
    AND NOT is_open_recipient(m.organization_id, m.contact_id)
  LIMIT $1))

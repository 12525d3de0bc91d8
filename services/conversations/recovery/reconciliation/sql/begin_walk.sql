-- write()
INSERT INTO contact_walk DEFAULT VALUES
ON CONFLICT (single) DO UPDATE SET walk = excluded.walk, organization_id = excluded.organization_id,
  contact_id = excluded.contact_id

-- write(organization_id uuid, list_id uuid, phones text[])
-- Contacts that are there stay until this commits. In one order with all who add members.
INSERT INTO membership (organization_id, list_id, contact_id)
SELECT $1, $2, member.id
FROM (SELECT c.id FROM unnest($3) AS given(phone) JOIN contact c ON c.organization_id = $1 AND c.phone = given.phone
      ORDER BY c.id FOR KEY SHARE OF c) member
ON CONFLICT DO NOTHING

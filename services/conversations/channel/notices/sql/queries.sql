-- name: recent read(organization_id uuid, business_account_id text, most_of_kind int8)
SELECT id AS "uniqueId", at, kind, event, severity, detail, phone_number AS "phoneNumber", data
FROM (SELECT n.*, row_number() OVER (PARTITION BY n.kind ORDER BY n.at DESC, n.id DESC) AS rank
      FROM account_notice n WHERE n.organization_id = $1 AND n.business_account_id = $2) a
WHERE rank <= $3
ORDER BY at DESC, id DESC

-- name: add write(organization_ids uuid[], ids uuid[], keys text[], business_account_ids text[], phone_numbers text[],
--   kinds text[], events text[], severities text[], details text[], data text[], moments timestamptz[])
-- Returns the new ones. In key order, so that two transactions with the same keys do not deadlock.
INSERT INTO account_notice (organization_id, id, key, business_account_id, phone_number, kind, event, severity, detail,
  data, at)
SELECT n.organization_id, n.id, n.key, n.business_account_id, n.phone_number, n.kind, n.event, n.severity, n.detail,
  n.data::jsonb, n.at
FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
  AS n (organization_id, id, key, business_account_id, phone_number, kind, event, severity, detail, data, at)
ORDER BY n.organization_id, n.key
ON CONFLICT (organization_id, key) DO NOTHING
RETURNING id

-- name: prune write(organization_ids uuid[], most_of_kind int8)
-- Leaves the newest of each kind and organization.
DELETE FROM account_notice a
USING (SELECT n.organization_id, n.id,
              row_number() OVER (PARTITION BY n.organization_id, n.kind ORDER BY n.at DESC, n.id DESC) AS rank
       FROM account_notice n WHERE n.organization_id = ANY ($1)) r
WHERE a.organization_id = r.organization_id AND a.id = r.id AND r.rank > $2

-- name: expire_numbers write(organization_ids uuid[], business_account_ids text[])
UPDATE channel_list SET listed_at = '-infinity'
WHERE organization_id = ANY ($1) AND business_account_id = ANY ($2) AND kind = 'PhoneNumbers'

-- name: find read(organization_id uuid)
SELECT o.organization_id AS id, o.name, o.description, o.created_at, o.website_url, o.logo_url, o.favicon_url,
  o.is_auto_handling_conversations_enabled, o.is_onboarding_completed, o.requires_second_factor, a.business_account_id,
  a.phone_number_id, a.access_token, a.webhook_secret, a.verification_status, a.is_registered,
  o.version::text || coalesce('.' || a.version, '') AS version
FROM organization o LEFT JOIN account a ON a.organization_id = o.organization_id
WHERE o.organization_id = $1 AND o.deleted_at IS NULL

-- name: lock_owner write(person_id uuid)
-- Serializes grants of ownership to a person.
SELECT most_organizations FROM person WHERE id = $1 FOR NO KEY UPDATE

-- name: count read(person_id uuid, search text)
SELECT count(*)
FROM member m JOIN organization o ON o.organization_id = m.organization_id AND o.deleted_at IS NULL
WHERE m.person_id = $1
/*if by_search*/ AND strpos(lower(o.name), lower($2)) > 0 /*end*/

-- name: count_owned read(person_id uuid)
SELECT count(*)
FROM member m JOIN organization o ON o.organization_id = m.organization_id
WHERE m.person_id = $1 AND m.access_level = 'Owner' AND o.deleted_at IS NULL

-- name: most_owned read(person_id uuid)
SELECT most_organizations FROM person WHERE id = $1

-- name: has_second_factor write(organization_id uuid, member_id uuid)
-- Locked against switching it off meanwhile.
SELECT p.second_factor_at IS NOT NULL
FROM member m JOIN person p ON p.id = m.person_id
WHERE m.organization_id = $1 AND m.id = $2
FOR SHARE OF p

-- name: insert write(id uuid, name text, description text, website_url text)
INSERT INTO organization (organization_id, name, description, website_url)
VALUES ($1, $2, $3, $4)
RETURNING created_at

-- name: mark_deleted write(organization_id uuid)
UPDATE organization SET deleted_at = now() WHERE organization_id = $1

-- name: set_most_owned write(person_id uuid, most int8)
UPDATE person SET most_organizations = $2 WHERE id = $1

-- name: update write(organization_id uuid, name text, description text, website_url text, logo_url text, favicon_url text,
--   is_auto_handling_conversations_enabled bool, requires_second_factor bool)
UPDATE organization SET name = $2, description = $3, website_url = $4, logo_url = $5, favicon_url = $6,
  is_auto_handling_conversations_enabled = $7, requires_second_factor = $8
WHERE organization_id = $1

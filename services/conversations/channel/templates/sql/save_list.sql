-- write(organization_id uuid, kind text, business_account_id text, listed_at timestamptz)
INSERT INTO channel_list AS l (organization_id, kind, business_account_id, listed_at)
VALUES ($1, $2, $3, $4)
ON CONFLICT (organization_id, kind) DO UPDATE
SET business_account_id = excluded.business_account_id, listed_at = excluded.listed_at

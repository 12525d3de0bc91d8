-- write(organization_id uuid)
UPDATE organization SET is_onboarding_completed = true
WHERE organization_id = $1 AND NOT is_onboarding_completed

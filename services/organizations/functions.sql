-- Version 1 of organizations

-- Usage of the limit of that name.
CREATE OR REPLACE FUNCTION quota_used(organization uuid, quota text) RETURNS bigint
  LANGUAGE sql STABLE
  AS $$ SELECT CASE quota
    WHEN 'members' THEN (SELECT count(*) FROM member WHERE organization_id = organization)
    WHEN 'invitations' THEN (SELECT count(*) FROM invite
                             WHERE organization_id = organization AND accepted_at IS NULL AND expires_at > now())
    WHEN 'roles' THEN (SELECT count(*) FROM role WHERE organization_id = organization)
    WHEN 'api-keys' THEN (SELECT count(*) FROM credential
                          WHERE organization_id = organization AND revoked_at IS NULL
                            AND (expires_at IS NULL OR expires_at > now()))
  END $$;

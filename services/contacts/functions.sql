-- Version 2 of contacts

-- Usage of the limit of that name. Without SET, so that it is inlined and only one branch is planned.
CREATE OR REPLACE FUNCTION quota_used(organization uuid, quota text) RETURNS bigint
  LANGUAGE sql STABLE
  AS $$ SELECT CASE quota
    WHEN 'contacts' THEN (SELECT coalesce(sum(contacts), 0)::bigint FROM tally
                          WHERE organization_id = organization AND list_id = '00000000-0000-0000-0000-000000000000')
    WHEN 'lists' THEN (SELECT count(*) FROM list WHERE organization_id = organization)
    WHEN 'tags' THEN (SELECT count(*) FROM tag WHERE organization_id = organization)
    WHEN 'segments' THEN (SELECT count(*) FROM segment WHERE organization_id = organization)
  END $$;

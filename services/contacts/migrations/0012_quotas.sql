-- How much an organization may have.

-- Where an operator has given an organization other limits than all have: see common/chassis/quotas.hpp.
CREATE TABLE quota (
  organization_id uuid NOT NULL,
  name text NOT NULL,
  most bigint NOT NULL CHECK (most >= 0),
  PRIMARY KEY (organization_id, name)
);

-- What counts against the limit of that name. No SET: who calls it has the plan of its one branch.
CREATE FUNCTION quota_used(organization uuid, quota text) RETURNS bigint
  LANGUAGE sql STABLE
  AS $$ SELECT CASE quota
    WHEN 'contacts' THEN (SELECT coalesce(sum(contacts), 0)::bigint FROM tally
                          WHERE organization_id = organization AND list_id = '00000000-0000-0000-0000-000000000000')
    WHEN 'lists' THEN (SELECT count(*) FROM list WHERE organization_id = organization)
    WHEN 'tags' THEN (SELECT count(*) FROM tag WHERE organization_id = organization)
  END $$;

-- The level of use, 80 or 100 percent, that was told of an organization's quota last: see chassis::Quotas::settle(). It may
-- be above the present one. No row: none yet.
CREATE TABLE quota_level (
  organization_id uuid NOT NULL,
  name text NOT NULL,
  percent int NOT NULL,
  PRIMARY KEY (organization_id, name)
);

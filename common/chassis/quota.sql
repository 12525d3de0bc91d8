-- Limits that an operator gave to single organizations (set-quota); see common/chassis/quotas.hpp.
CREATE TABLE quota (
  organization_id uuid NOT NULL,
  name text NOT NULL,
  most bigint NOT NULL CHECK (most >= 0),
  PRIMARY KEY (organization_id, name)
);

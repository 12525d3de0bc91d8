-- Version 3 of conversations

-- Usage of the limit of that name. Campaigns count until they have ended; begun MiB of files count.
CREATE OR REPLACE FUNCTION quota_used(organization uuid, quota text) RETURNS bigint
  LANGUAGE sql STABLE
  AS $$ SELECT CASE quota
    WHEN 'campaigns' THEN (SELECT count(*) FROM campaign
                           WHERE organization_id = organization AND status = 'Draft' AND deleted_at IS NULL)
                        + (SELECT count(*) FROM campaign
                           WHERE organization_id = organization AND status IN ('Scheduled', 'Running', 'Paused')
                             AND deleted_at IS NULL)
    WHEN 'webhooks' THEN (SELECT count(*) FROM webhook WHERE organization_id = organization)
    WHEN 'quick-replies' THEN (SELECT count(*) FROM quick_reply WHERE organization_id = organization)
    WHEN 'media-mib' THEN coalesce((SELECT (octets + 1048575) / 1048576 FROM media_use WHERE organization_id = organization), 0)
  END $$;

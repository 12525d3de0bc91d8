-- write(organization_ids uuid[], webhook_ids uuid[], ids uuid[], notice_ids uuid[])
INSERT INTO webhook_delivery (organization_id, webhook_id, id, notice_id) SELECT * FROM unnest($1, $2, $3, $4)

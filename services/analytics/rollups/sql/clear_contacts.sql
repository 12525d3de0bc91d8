-- write(first_page int8, end_page int8)
DELETE FROM contact_rollup WHERE ctid >= format('(%s,0)', $1)::tid AND ctid < format('(%s,0)', $2)::tid

-- write(inbox int8[], parked int8[], seconds int8)
SELECT inbox_hold($1, $3), parked_hold($2, $3)

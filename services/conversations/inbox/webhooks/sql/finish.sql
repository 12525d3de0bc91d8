-- write(ids int8[])
SELECT inbox_finish($1)

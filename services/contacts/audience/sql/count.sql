-- slow(organization_id uuid, list_ids uuid[], variables text[], most int8, excluded_list_ids uuid[], whole int8,
--   multiplier int8, addend int8, bounds int8[], segment text[])
-- How many contacts that `walk` or `walk_all` finds are alike. The lists must exist: see `known`. As semi-joins, unlike in `walk`: all
-- rows of the lists are read anyway. `kinds` has two bits for each variable, the first one's lowest: unrolled, as no
-- parallel worker would run a subquery; a variable that is not there has the value NULL. The limit is outside: within, it
-- would look as if the first groups could be had early.
WITH counted AS MATERIALIZED (
  SELECT c.status, coalesce(c.phone, '') <> '' OR coalesce(c.channel_user_id, '') <> '' AS "hasAddress",
    /*if drawn*/ (0::int8 || $9)[1 + width_bucket(/*include draw*/, $9)] /*else*/ 0::int8 /*end*/ AS draw,
    /*if valued*/ /*include kinds*/ /*else*/ 0::int8 /*end*/ AS kinds,
    count(*) AS contacts
  FROM contact c
  WHERE c.organization_id = $1
    /*if by_segments*/ /*segment each $10*/
    /*else*/
    AND EXISTS (SELECT FROM membership m
                WHERE m.organization_id = $1 AND m.contact_id = c.id AND m.list_id = ANY ($2))
    /*end*/
    /*if excluding*/
    AND NOT EXISTS (SELECT FROM membership x
                    WHERE x.organization_id = $1 AND x.contact_id = c.id AND x.list_id = ANY ($5))
    /*end*/
  GROUP BY 1, 2, 3, 4
)
SELECT * FROM counted LIMIT $4

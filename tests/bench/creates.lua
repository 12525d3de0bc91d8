-- Creates one contact a request. wrk .. -s creates.lua URL -- AFTER [LIST_ID]: with the numbers AFTER + 1 and on, in the list.
local number, lists

function init(arguments)
  wrk.headers["Content-Type"] = "application/json"
  number = tonumber(arguments[1])
  lists = arguments[2] and string.format(',"lists":["%s"]', arguments[2]) or ""
end

function request()
  number = number + 1
  return wrk.format("POST", "/api/contacts", nil, string.format(
    '{"name":"Ada Lovelace %d","phone":"+49151%08d","attributes":{"city":"London","plan":"pro"}%s}', number, number, lists))
end

dofile(debug.getinfo(1, "S").source:match("^@(.*/)") .. "result.lua")

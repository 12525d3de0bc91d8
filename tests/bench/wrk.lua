-- What wrk asks: one contact after another, at random among those of contacts.sql, or so the paths in a file, or ever the
-- same target. wrk .. -s wrk.lua URL -- contact COUNT | lines FILE | target PATH
local requests, count

-- As pg_temp.numbered(3, n) in contacts.sql. Milliseconds since 1970 in hexadecimal: beyond what %x takes here.
local function id_of(n)
  local milliseconds = 1767225600000 + n
  local high, low = math.floor(milliseconds / 65536), milliseconds % 65536
  return string.format("%08x-%04x-7003-8000-%012x", high, low, n)
end

function init(arguments)
  math.randomseed(1)
  requests = {}
  if arguments[1] == "contact" then
    count = tonumber(arguments[2])
    for n = 1, count do requests[n] = wrk.format("GET", "/api/contacts/" .. id_of(n)) end
  elseif arguments[1] == "lines" then
    for line in io.lines(arguments[2]) do requests[#requests + 1] = wrk.format("GET", line) end
    count = #requests
  else
    count = 1
    requests[1] = wrk.format("GET", arguments[2])
  end
end

function request() return requests[math.random(count)] end

dofile(debug.getinfo(1, "S").source:match("^@(.*/)") .. "result.lua")

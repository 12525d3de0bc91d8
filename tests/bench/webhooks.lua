-- Posts the signed webhooks of a file, one after another over all connections.
--   wrk .. -s webhooks.lua URL -- FILE [RATE]: with a rate, that many a second, as far as the connections go; a request that
--   could not be sent in time is sent at once and makes up for it.
local ffi = require("ffi")
ffi.cdef [[ typedef struct { long seconds, nanoseconds; } clock_time; int clock_gettime(int, clock_time *); ]]
local now_is = ffi.new("clock_time")
local function milliseconds()
  ffi.C.clock_gettime(1, now_is)
  return tonumber(now_is.seconds) * 1e3 + tonumber(now_is.nanoseconds) / 1e6
end

local requests, turn, interval, due = {}, 0, nil, nil

function init(arguments)
  wrk.headers["Content-Type"] = "application/json"
  for line in io.lines(arguments[1]) do
    local signature, body = line:match("^(%S+) (.*)$")
    wrk.headers["X-Hub-Signature-256"] = signature
    requests[#requests + 1] = wrk.format("POST", "/webhooks/messaging", nil, body)
  end
  if arguments[2] then interval = 1e3 / tonumber(arguments[2]) end
end

function request()
  turn = turn % #requests + 1
  return requests[turn]
end

-- Milliseconds until the next request of a connection: the connections take places in one timetable.
function delay()
  if not interval then return 0 end
  local now = milliseconds()
  due = math.max((due or now) + interval, now - 100)
  return math.max(0, math.floor(due - now + 0.5))
end

dofile(debug.getinfo(1, "S").source:match("^@(.*/)") .. "result.lua")

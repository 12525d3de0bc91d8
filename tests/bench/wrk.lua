-- What wrk asks: one contact after another, at random among those of contacts.sql, or so the paths in a file, or ever the
-- same target; and its result as one line of JSON. wrk .. -s wrk.lua URL -- contact COUNT | lines FILE | target PATH
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

function done(summary, latency, _)
  local errors = summary.errors
  io.write(string.format('RESULT {"rate":%.1f,"p50":%.3f,"p99":%.3f,"refused":%d,"broken":%d}\n',
    summary.requests / (summary.duration / 1e6), latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout))
end

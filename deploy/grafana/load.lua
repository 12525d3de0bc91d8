-- What wrk asks: the lines of a file, "GET TARGET" or "POST TARGET BODY", at random; each connection pauses between two, so
-- that a caller's rate is kept. wrk .. -s load.lua URL -- FILE MILLISECONDS
local requests, pause = {}, 0

function init(arguments)
  math.randomseed(1)
  pause = tonumber(arguments[2])
  for line in io.lines(arguments[1]) do
    local method, target, body = line:match("^(%u+) (%S+) ?(.*)$")
    requests[#requests + 1] = wrk.format(method, target, { ["Authorization"] = wrk.headers["Authorization"],
      ["Content-Type"] = body ~= "" and "application/json" or nil }, body ~= "" and body or nil)
  end
end

function request() return requests[math.random(#requests)] end

function delay() return math.random(pause * 2) end

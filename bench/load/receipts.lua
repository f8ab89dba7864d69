-- Requests for wrk: goes around the targets of a plan and numbers every request.
-- A target is four lines: method, path, headers (name: value, tabs between them), body.
-- Called by wrk.ts, which reads the one line that done() prints.
local MARK = '##########'
local targets = {}
local count = 0

function init(args)
  local lines = io.lines(args[1])
  for method in lines do
    local path = lines()
    local headers = {}
    for name, value in lines():gmatch('([^:\t]+): ([^\t]+)') do headers[name] = value end
    targets[#targets + 1] = pieces(wrk.format(method, path, headers, lines()))
  end
end

-- What stands before, between and behind the marks.
function pieces(whole)
  local found, start = {}, 1
  while true do
    local first, last = whole:find(MARK, start, true)
    found[#found + 1] = whole:sub(start, first and first - 1)
    if not first then return found end
    start = last + 1
  end
end

function request()
  local target = targets[count % #targets + 1]
  count = count + 1
  if not target[2] then return target[1] end
  return table.concat(target, string.format('%010d', count))
end

function done(summary, latency)
  local e = summary.errors
  io.write(string.format(
    '{"requests":%d,"micros":%d,"p50":%d,"p99":%d,' ..
    '"faults":{"connect":%d,"read":%d,"write":%d,"timeout":%d,"status":%d}}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    e.connect, e.read, e.write, e.timeout, e.status))
end

-- What wrk prints at its end: its result as one line of JSON, by a script that asks.
function done(summary, latency, _)
  local errors = summary.errors
  io.write(string.format('RESULT {"rate":%.1f,"p50":%.3f,"p99":%.3f,"refused":%d,"broken":%d}\n',
    summary.requests / (summary.duration / 1e6), latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout))
end

#include "common/chassis/service_client.hpp"

#include "common/chassis/process.hpp"
#include "common/chassis/tracing.hpp"

namespace parley::chassis {

namespace {
constexpr std::chrono::milliseconds kFirstLookUp{1000};
constexpr std::size_t kIdLength = 36;
// The maximum length of a gathered response; a longer one counts as failed. Four times a page (http::kMaxPageOctets),
// which bounds parts at their source. All responses together share the process's budget for long responses.
constexpr std::uint64_t kMaxOctets = 16 << 20;
}  // namespace

Fragments::Fragments(std::string body, std::shared_ptr<const http::BodyHold> hold)
    : body_(std::move(body)), hold_(std::move(hold)) {
  for (std::size_t at = 0; at < body_.size();) {
    const auto end = std::min(body_.find('\n', at), body_.size());
    const auto line = std::string_view(body_).substr(at, end - at);
    const auto id = model::Uuid::parse(line.substr(0, kIdLength));
    if (!id || line.size() < kIdLength + 2 || line[kIdLength] != ' ')
      throw http::Unreachable(http::Unreachable::Why::bad_answer, "an answer has a line that cannot be read", false);
    places_.emplace(*id, std::pair{at + kIdLength + 1, line.size() - kIdLength - 1});
    at = end + 1;
  }
}

std::optional<std::string_view> Fragments::of(const model::Uuid& id) const {
  const auto place = places_.find(id);
  if (place == places_.end()) return std::nullopt;
  return std::string_view(body_).substr(place->second.first, place->second.second);
}

ServiceClient::ServiceClient(Process& process, std::string context, const std::string& url, std::uint64_t answer_limit)
    : process_(process),
      context_(std::move(context)),
      client_(process.context(), process.wheel(),
              http::UpstreamSettings{
                  .url = url, .first_look_up = kFirstLookUp, .answer_limit = answer_limit, .tls_ca_file = {}}) {}

void ServiceClient::add_identity(http::ClientRequest& request, const RequestContext& scope) {
  request.head.append(identity::kField).append(": ").append(process_.signer().own_token(context_));
  request.head.append("\r\nX-Request-Id: ").append(scope.request_id).append("\r\n");
  request.owner = scope.organization_id;
  request.room = process_.gathered_answers();
  auto context = scope.trace;
  if (process_.tracer().records(context)) {
    context = context.child();
    process_.tracer().follow(request, client_.upstream(), context, scope.trace.span);
  }
  append_trace(request.head, context, scope.tracestate);
}

http::PendingResponse ServiceClient::start(http::ClientRequest request, const RequestContext& scope) {
  add_identity(request, scope);
  if (request.most_octets == 0) request.most_octets = kMaxOctets;
  return client_.start(std::move(request));
}

awaitable<std::optional<Fragments>> ServiceClient::parts(http::PendingResponse pending) {
  try {
    auto response = co_await pending.get();
    if (response.status == 200) co_return Fragments(std::move(response.body), std::move(response.hold));
  } catch (const http::Unreachable&) {
    // The upstream has counted the failure; the caller responds without this part and reports it.
  }
  co_return std::nullopt;
}

awaitable<http::ClientResponse> ServiceClient::send(http::ClientRequest request, const RequestContext& scope) {
  add_identity(request, scope);
  if (request.most_octets == 0) request.most_octets = kMaxOctets;
  auto response = co_await client_.send(std::move(request));
  if (response.status >= 500 || (response.status >= 300 && response.status < 400))
    throw http::Unreachable(http::Unreachable::Why::bad_answer,
                            context_ + " answered " + std::to_string(response.status), false);
  co_return response;
}

awaitable<std::unique_ptr<http::Exchange>> ServiceClient::open(http::ClientRequest request,
                                                               const RequestContext& scope) {
  add_identity(request, scope);
  auto exchange = co_await client_.open(std::move(request));
  if (exchange->status() != 200)
    throw http::Unreachable(http::Unreachable::Why::bad_answer,
                            context_ + " answered " + std::to_string(exchange->status()), false);
  co_return exchange;
}

}  // namespace parley::chassis

#include "tests/simulator/simulator.hpp"

#include <boost/asio/deferred.hpp>
#include <boost/asio/steady_timer.hpp>
#include <stdexcept>

namespace parley::simulator {

namespace {

using namespace std::chrono_literals;

constexpr std::int64_t kHang = 60'000;  // milliseconds
constexpr auto kSettle = 5s;

// A body that fails before its first octet, which ends the connection.
class Broken final : public http::BodySource {
 public:
  awaitable<std::string_view> next() override {
    throw std::runtime_error("this answer is lost");
    co_return std::string_view{};
  }
};

http::Response no_answer() {
  http::Response response;
  response.status = 200;
  response.stream = std::make_unique<Broken>();
  response.stream_length = 1;
  return response;
}

// /v20.0/123/register -> /123/register
std::string_view without_version(std::string_view path) {
  const auto slash = path.find('/', 1);
  return slash == path.npos ? std::string_view{} : path.substr(slash);
}

bool sends_message(const http::Request& request) {
  return request.method == http::Method::post && request.path.ends_with("/messages");
}

}  // namespace

Simulator::Simulator(boost::asio::io_context& context, http::DeadlineSweeper& wheel,
                     const boost::asio::ip::tcp::endpoint& listen, Settings settings)
    : context_(context),
      state_(first_state(std::move(settings))),
      webhooks_(context, wheel, state_),
      graph_(state_, webhooks_),
      control_(state_, webhooks_),
      server_(context, wheel, listen, http::ServerLimits{.body = 101 << 20},
              {[this](http::Request& request) { return serve(request); },
               [](unsigned status, std::string_view reason, std::string_view) {
                 return graph_error(100, "The request is not sound HTTP: " + std::string(reason), 0, status);
               }}) {}

State Simulator::first_state(Settings settings) {
  State state;
  state.behaviour.webhook_url = settings.webhook_url;
  state.behaviour.service_window = !settings.open_window;
  state.add_account(settings.business_account_id);
  state.add_number(PhoneNumber{settings.phone_number_id, settings.business_account_id, "+1 555 0100", "Test Business",
                               "VERIFIED", std::nullopt});
  state.settings = std::move(settings);
  return state;
}

awaitable<http::Response> Simulator::serve(http::Request& request) {
  try {
    if (request.path.starts_with("/simulator/")) co_return co_await control_.serve(request);
    co_return co_await serve_graph(request);
  } catch (const http::Problem& problem) {
    co_return http::to_response(problem, request.path, "");
  }
}

awaitable<http::Response> Simulator::serve_graph(http::Request& request) {
  const auto body = co_await request.body();
  const auto call = state_.journal.add({std::string(http::name_of(request.method)), std::string(request.path),
                                        std::string(request.query), std::string(request.field("Authorization")),
                                        std::string(body.substr(0, Journal::kMaxBodyLength))});
  if (!state_.faults.empty()) {
    const auto recipient = sends_message(request) ? recipient_of(body) : std::string();
    auto fault = state_.faults.take(http::name_of(request.method), without_version(request.path), recipient);
    if (fault) {
      if (fault->done) co_await act(request, body, call);
      if (fault->kind == Fault::Kind::answer) note(call, fault->status);
      co_return co_await meet(std::move(*fault));
    }
  }
  auto response = co_await act(request, body, call);
  note(call, response.status);
  co_return response;
}

awaitable<http::Response> Simulator::act(http::Request& request, std::string_view body, std::uint64_t call) {
  auto response = co_await graph_.serve(request, body, call);
  if (!sends_message(request)) co_return response;
  if (state_.behaviour.early) co_await webhooks_.settle(kSettle);
  if (state_.behaviour.answer_delay_ms > 0) co_await wait(state_.behaviour.answer_delay_ms);
  co_return response;
}

awaitable<http::Response> Simulator::meet(Fault fault) {
  if (fault.kind == Fault::Kind::hang) co_await wait(kHang);
  if (fault.kind != Fault::Kind::answer) co_return no_answer();
  http::Response response;
  response.status = fault.status;
  response.body = std::move(fault.body);
  co_return response;
}

awaitable<void> Simulator::wait(std::int64_t milliseconds) {
  boost::asio::steady_timer timer(context_, std::chrono::milliseconds(milliseconds));
  co_await timer.async_wait(boost::asio::deferred);
}

void Simulator::note(std::uint64_t call, unsigned status) {
  if (auto* const noted = state_.journal.find(call)) noted->status = status;
}

}  // namespace parley::simulator

#include "tests/simulator/simulator.hpp"

#include <boost/asio/deferred.hpp>
#include <boost/asio/steady_timer.hpp>
#include <stdexcept>

namespace parley::simulator {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t kMostJournaled = 10'000;

// An answer that breaks before its first octet: the connection ends.
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

}  // namespace

Simulator::Simulator(boost::asio::io_context& context, http::DeadlineWheel& wheel,
                     const boost::asio::ip::tcp::endpoint& listen, Settings settings)
    : context_(context),
      graph_(state_),
      control_(state_),
      server_(context, wheel, listen, http::ServerLimits{.body = 16 << 20},
              {[this](http::Request& request) { return serve(request); },
               [](unsigned status, std::string_view reason, std::string_view) {
                 return graph_error(100, "The request is not sound HTTP: " + std::string(reason), 0, status);
               }}) {
  state_.settings = std::move(settings);
  state_.accounts[state_.settings.business_account_id];
  state_.numbers[state_.settings.phone_number_id] = PhoneNumber{state_.settings.phone_number_id,
                                                                state_.settings.business_account_id,
                                                                "+1 555 0100",
                                                                "Test Business",
                                                                "VERIFIED",
                                                                std::nullopt};
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
  const auto call = std::make_shared<Call>();
  call->method = http::name_of(request.method);
  call->path = request.path;
  call->query = request.query;
  call->authorization = request.field("Authorization");
  call->body = body;
  state_.journal.push_back(call);
  if (state_.journal.size() > kMostJournaled) state_.journal.pop_front();
  // The body was read: whoever serves the call reads it again from here.
  struct Again final : http::BodySource {
    std::string_view left;
    awaitable<std::string_view> next() override { co_return std::exchange(left, {}); }
  } again;
  again.left = call->body;
  http::Request copy = request;
  copy.body_source = &again;

  auto fault = state_.faults.take(call->method, without_version(call->path));
  if (fault) {
    if (fault->kind == Fault::Kind::answer) call->status = fault->status;
    co_return co_await meet(std::move(*fault), copy);
  }
  auto response = co_await graph_.serve(copy);
  call->status = response.status;
  co_return response;
}

awaitable<http::Response> Simulator::meet(Fault fault, http::Request& request) {
  if (fault.kind == Fault::Kind::lose) co_await graph_.serve(request);
  if (fault.kind == Fault::Kind::hang) {
    boost::asio::steady_timer timer(context_, 60s);
    co_await timer.async_wait(boost::asio::deferred);
  }
  if (fault.kind != Fault::Kind::answer) co_return no_answer();
  http::Response response;
  response.status = fault.status;
  response.body = std::move(fault.body);
  co_return response;
}

}  // namespace parley::simulator

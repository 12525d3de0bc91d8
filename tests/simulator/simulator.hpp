#pragma once
#include <boost/asio/io_context.hpp>

#include "common/http/server.hpp"
#include "tests/simulator/control.hpp"
#include "tests/simulator/graph.hpp"

namespace parley::simulator {

// The channel's API and the control API behind one port. Must outlive the loop's coroutines: see http::Loop.
class Simulator {
 public:
  Simulator(boost::asio::io_context& context, http::DeadlineSweeper& wheel,
            const boost::asio::ip::tcp::endpoint& listen, Settings settings);
  void start() { server_.start(); }
  boost::asio::ip::tcp::endpoint endpoint() const { return server_.endpoint(); }

 private:
  static State first_state(Settings settings);
  awaitable<http::Response> serve(http::Request& request);
  awaitable<http::Response> serve_graph(http::Request& request);
  awaitable<http::Response> act(http::Request& request, std::string_view body, std::uint64_t call);
  awaitable<http::Response> meet(Fault fault);
  awaitable<void> wait(std::int64_t milliseconds);
  void note(std::uint64_t call, unsigned status);

  boost::asio::io_context& context_;
  State state_;
  Webhooks webhooks_;
  Graph graph_;
  Control control_;
  http::Server server_;
};

}  // namespace parley::simulator

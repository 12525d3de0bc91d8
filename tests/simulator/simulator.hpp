#pragma once
#include <boost/asio/io_context.hpp>

#include "common/http/server.hpp"
#include "tests/simulator/control.hpp"
#include "tests/simulator/graph.hpp"

namespace parley::simulator {

// One process's worth of channel: its graph and its control behind one port.
class Simulator {
 public:
  Simulator(boost::asio::io_context& context, http::DeadlineWheel& wheel, const boost::asio::ip::tcp::endpoint& listen,
            Settings settings);
  void start() { server_.start(); }
  boost::asio::ip::tcp::endpoint endpoint() const { return server_.endpoint(); }

 private:
  awaitable<http::Response> serve(http::Request& request);
  awaitable<http::Response> serve_graph(http::Request& request);
  awaitable<http::Response> meet(Fault fault, http::Request& request);

  boost::asio::io_context& context_;
  State state_;
  Graph graph_;
  Control control_;
  http::Server server_;
};

}  // namespace parley::simulator

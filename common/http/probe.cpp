#include "common/http/probe.hpp"

#include <boost/asio/co_spawn.hpp>
#include <sstream>

#include "common/http/loop.hpp"

namespace parley::http {

namespace {

std::string url_of(boost::asio::ip::tcp::endpoint endpoint) {
  if (endpoint.address().is_unspecified())
    endpoint.address(endpoint.address().is_v4() ? boost::asio::ip::address(boost::asio::ip::address_v4::loopback())
                                                : boost::asio::ip::address(boost::asio::ip::address_v6::loopback()));
  std::ostringstream url;
  url << "http://" << endpoint;
  return url.str();
}

}  // namespace

ClientResponse probe(const boost::asio::ip::tcp::endpoint& listens, std::string target,
                     std::chrono::milliseconds time) {
  Loop context;
  DeadlineSweeper wheel(context);
  UpstreamSettings settings;
  settings.url = url_of(listens);
  settings.connect_time = settings.answer_time = time;
  settings.answer_limit = 64 << 10;
  Client client(context, wheel, settings);
  ClientRequest request;
  request.target = std::move(target);
  request.head = "Connection: close\r\n";
  request.replayable = false;  // periodic callers ask again by themselves
  std::exception_ptr broken;
  ClientResponse answer;
  boost::asio::co_spawn(context, client.send(std::move(request)), [&](std::exception_ptr thrown, ClientResponse given) {
    broken = thrown;
    answer = std::move(given);
    context.stop();
  });
  context.run_for(2 * time);  // bounds a response that trickles in
  context.end();
  if (broken) std::rethrow_exception(broken);
  if (answer.status == 0) throw Unreachable(Unreachable::Why::timeout, "no whole answer in time", false);
  return answer;
}

}  // namespace parley::http

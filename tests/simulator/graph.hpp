#pragma once
#include <boost/json/object.hpp>

#include "common/http/problem.hpp"
#include "common/http/router.hpp"
#include "tests/simulator/state.hpp"

namespace parley::simulator {

using boost::asio::awaitable;

// The channel's own interface, as the WhatsApp Business Cloud API has it: paths, answers and error objects. Any version
// in front of a path is good.
class Graph {
 public:
  explicit Graph(State& state);
  awaitable<http::Response> serve(http::Request& request);

 private:
  struct Call {
    std::string_view id;  // the object in the path
    std::vector<std::pair<std::string, std::string>> query;
    std::string_view body;
    std::string_view parameter(std::string_view name) const;
  };
  using Handler = http::Response (Graph::*)(const Call&);

  void add(http::Method method, std::string_view pattern, Handler handler, bool needs_token = true);
  http::Response access_token(const Call& call);
  http::Response subscribe(const Call& call);
  http::Response phone_numbers(const Call& call);
  http::Response register_number(const Call& call);
  http::Response number(const Call& call);

  struct Route {
    Handler handler;
    bool needs_token;
  };
  State& state_;
  http::Router router_;
  std::vector<Route> routes_;
};

// `{"error":{...}}` with the status that the channel most often gives it.
http::Response graph_error(std::int64_t code, std::string_view message, std::int64_t subcode = 0,
                           unsigned status = 400);

}  // namespace parley::simulator

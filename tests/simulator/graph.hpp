#pragma once
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "common/http/problem.hpp"
#include "common/http/router.hpp"
#include "tests/simulator/messages.hpp"

namespace parley::simulator {

// The channel's API: paths, responses and error objects of the WhatsApp Business Cloud API. Accepts any version prefix.
class Graph {
 public:
  Graph(State& state, Webhooks& webhooks);
  awaitable<http::Response> serve(http::Request& request, std::string_view body, std::uint64_t call);

 private:
  struct Call {
    std::string_view id;  // the object in the path
    std::vector<std::pair<std::string, std::string>> query;
    std::string_view body, host, content_type, file_offset;
    std::uint64_t number;
    std::string_view parameter(std::string_view name) const;
  };
  using Handler = http::Response (Graph::*)(const Call&);

  void add(http::Method method, std::string_view pattern, Handler handler, bool needs_token = true);
  http::Response access_token(const Call& call);
  http::Response subscribe(const Call& call);
  http::Response unsubscribe(const Call& call);
  http::Response subscriptions(const Call& call);
  http::Response phone_numbers(const Call& call);
  http::Response register_number(const Call& call);
  http::Response messages(const Call& call);
  http::Response templates(const Call& call);
  // What the channel finds wrong with it before it reviews it.
  std::optional<TemplateRefusal> refusal_of(const Template& made) const;
  http::Response make_template(const Call& call);
  http::Response edit_template(const Call& call);
  http::Response delete_template(const Call& call);
  http::Response begin_upload(const Call& call);
  http::Response upload_octets(const Call& call);
  http::Response change_object(const Call& call);
  http::Response upload(const Call& call);
  http::Response download(const Call& call);
  http::Response object(const Call& call);
  http::Response delete_object(const Call& call);
  http::Response show_media(const Call& call, const Media& media);
  std::string media_hash(std::string_view id, std::string_view until) const;

  struct Route {
    Handler handler;
    bool needs_token;
  };
  State& state_;
  Webhooks& webhooks_;
  Messages messages_;
  http::Router router_;
  std::vector<Route> routes_;
  std::size_t subscribe_ = 0;  // the route that verifies the application's URL before it responds
};

http::Response graph_answer(const boost::json::value& value);
// The error for an object that is not there, or not the caller's.
http::Response unknown_object(std::string_view id);

// Tokens are signed rather than stored: they outlive the simulator, like the accounts connected with them.
std::string make_token(std::string_view app_secret);
bool is_token(std::string_view app_secret, std::string_view token);

}  // namespace parley::simulator

#pragma once
// A service's process within a test: settings, keys, requests.

#include <boost/asio/awaitable.hpp>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/chassis/process.hpp"
#include "common/http/body.hpp"
#include "common/identity/keys.hpp"
#include "common/identity/token.hpp"
#include "tests/support/loop.hpp"

namespace parley::support {

// The seed that a service signs with: made once in a test process. Call it in one thread.
inline const identity::Seed& seed_of(const std::string& service) {
  identity::start_cryptography();
  static std::map<std::string, identity::Seed> seeds;
  return seeds.try_emplace(service, identity::new_seed()).first->second;
}

// Settings of a process that logs errors alone, signs with `seed_of(name)` and believes the services in `trusted`.
inline chassis::ProcessSettings process_settings(const std::string& name,
                                                 std::initializer_list<const char*> trusted = {}) {
  chassis::ProcessSettings out;
  out.name = name;
  out.log_level = chassis::Level::error;
  out.identity_key = seed_of(name);
  for (const auto* service : trusted) out.trusted.emplace(service, identity::public_key_of(seed_of(service)));
  return out;
}

// A request for a pipeline, with all that it points to. Neither copied nor moved.
class StoredRequest : http::BodySource {
 public:
  using Fields = std::vector<std::pair<std::string, std::string>>;
  StoredRequest(http::Method method, std::string target, std::string text, std::string token, Fields more = {})
      : target_(std::move(target)), text_(std::move(text)), token_(std::move(token)), more_(std::move(more)) {
    fields_ = {{identity::kField, token_}, {"Content-Type", "application/json"}};
    for (const auto& [name, value] : more_) fields_.push_back({name, value});
    const std::string_view all = target_;
    request.method = method;
    request.target = all;
    request.path = all.substr(0, all.find('?'));
    if (request.path.size() < all.size()) request.query = all.substr(request.path.size() + 1);
    request.fields = fields_;
    request.has_body = !text_.empty();
    request.content_length = text_.size();
    request.body_source = this;
  }
  StoredRequest(const StoredRequest&) = delete;
  StoredRequest& operator=(const StoredRequest&) = delete;

 private:
  boost::asio::awaitable<std::string_view> next() override {
    co_return std::exchange(is_read_, true) ? std::string_view{} : std::string_view(text_);
  }
  const std::string target_, text_, token_;
  const Fields more_;
  std::vector<http::Field> fields_;
  bool is_read_ = false;

 public:
  http::Request request;
};

}  // namespace parley::support

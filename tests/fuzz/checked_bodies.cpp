// The bodies that are checked beyond their shape before anything is asked: campaigns and contacts. What is taken is
// within the limits that the database and the channel have.
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <set>

#include "common/model/phone.hpp"
#include "common/model/text.hpp"
#include "contacts/contacts/requests.hpp"
#include "conversations/campaigns/rendering/composition.hpp"
#include "conversations/campaigns/requests.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace parley;

namespace {

class Body : public http::BodySource {
 public:
  explicit Body(std::string_view octets) : octets_(octets) {}
  http::awaitable<std::string_view> next() override { co_return std::exchange(octets_, {}); }

 private:
  std::string_view octets_;
};

template <class Act>
void run(std::string_view octets, Act act) {
  Body source(octets);
  const http::Field fields[] = {{"Content-Type", "application/json"}};
  http::Request request;
  request.method = http::Method::post;
  request.fields = fields;
  request.has_body = true;
  request.body_source = &source;
  boost::asio::io_context context;
  refused([&] {
    boost::asio::co_spawn(context, act(request), [](std::exception_ptr error) {
      if (error) std::rethrow_exception(error);
    });
    context.run();
  });
}

http::awaitable<void> take_campaign(http::Request& request, bool is_new) {
  const auto changes = co_await conversations::campaigns::read_changes(request, is_new);
  const auto campaign = conversations::campaigns::changed({}, changes);
  MUST(conversations::campaigns::settled_that_differ(campaign, campaign).empty());
  if (is_new) MUST(model::count_characters(campaign.name).value_or(256) <= 255);
  if (is_new) MUST(conversations::rendering::Composition(campaign.message, campaign.variants).variant_count() <= 10);
}

http::awaitable<void> take_contacts(http::Request& request, std::string country) {
  identity::Identity nobody;
  chassis::RequestContext scope;
  const http::PathParameters none;
  chassis::Call call(request, nobody, none, scope);
  const auto taken = co_await contacts::contacts::read_new_contacts(call, country);
  std::set<std::string> phones;
  for (const auto& contact : taken.contacts)
    MUST(contact.name && model::is_international(contact.phone.value()) && phones.insert(*contact.phone).second);
}

}  // namespace

FUZZ(checked_bodies) {
  const auto which = input.choice(4);
  const auto octets = input.rest();
  if (which < 2) run(octets, [&](auto& request) { return take_campaign(request, which == 0); });
  if (which > 1) run(octets, [&](auto& request) { return take_contacts(request, which == 2 ? "" : "DE"); });
}

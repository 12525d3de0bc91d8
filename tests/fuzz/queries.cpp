// The query of every list and report: its parameters come back as they were encoded, what is wrong is refused, and a
// cursor is good for nothing but what it was given for.
#include <boost/mp11/list.hpp>

#include "analytics/reports/span.hpp"
#include "common/contracts/contacts.hpp"
#include "common/contracts/conversations.hpp"
#include "common/contracts/organizations.hpp"
#include "contacts/contacts/requests.hpp"
#include "contacts/imports/shapes.hpp"
#include "contacts/lists/shapes.hpp"
#include "contacts/tags/shapes.hpp"
#include "conversations/campaigns/recipients/requests.hpp"
#include "conversations/campaigns/requests.hpp"
#include "conversations/campaigns/test_sends/shapes.hpp"
#include "conversations/channel/templates/shapes.hpp"
#include "conversations/events/stream/shapes.hpp"
#include "conversations/events/subscriptions/shapes.hpp"
#include "conversations/inbox/conversations/requests.hpp"
#include "conversations/messages/requests.hpp"
#include "organizations/audit/shapes.hpp"
#include "organizations/credentials/shapes.hpp"
#include "organizations/invites/shapes.hpp"
#include "organizations/members/shapes.hpp"
#include "organizations/organizations/shapes.hpp"
#include "organizations/roles/shapes.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace parley;

namespace {

namespace ct = contacts;
namespace cv = conversations;
namespace og = organizations;
namespace of = contracts;

template <class Query>
void read_only(std::string_view query) {
  http::read_query<Query>(query);
}
template <class Query>
void read_page(std::string_view query) {
  const auto filter = http::read_page_filter(http::read_query<Query>(query));
  MUST(filter.paging.per_page >= 1 && filter.paging.per_page <= 100 && filter.paging.skip >= 0);
  if (filter.after) {
    http::Faults faults;
    const auto text = http::write_cursor(filter.order_name(), *filter.after);
    MUST_EQUAL(*http::read_query<Query>(query).cursor, text);
    MUST(!http::read_cursor(filter.order_name() + "x", text, faults));
  }
}
template <auto read_filter, class Query>
void read_with(std::string_view query) {
  read_filter(http::read_query<Query>(query));
}

void read_report(std::string_view query) {
  using namespace analytics::reports;
  const auto span = span_between(read_edges(http::read_query<CampaignsQuery>(query)), {1'800'000'000'000});
  MUST(span.starts < span.ends);
}
void read_recipients(std::string_view query) {
  cv::recipients::check({}, http::read_query<cv::recipients::ListQuery>(query));
}
constexpr void (*kReaders[])(std::string_view) = {
    read_with<ct::contacts::read_page_filter, ct::contacts::ListQuery>,
    read_with<ct::contacts::read_export_filter, ct::contacts::ExportQuery>,
    read_with<cv::campaigns::read_filter, cv::campaigns::ListQuery>,
    read_with<cv::conversations::read_filter, cv::conversations::ListQuery>,
    read_with<static_cast<cv::messages::Cut (*)(const cv::messages::ListQuery&)>(cv::messages::read_cut),
              cv::messages::ListQuery>,
    read_page<ct::lists::ListQuery>,
    read_page<ct::tags::ListQuery>,
    read_page<cv::templates::ListQuery>,
    read_page<og::invites::ListQuery>,
    read_page<og::members::ListQuery>,
    read_page<og::organizations::ListQuery>,
    read_page<og::roles::ListQuery>,
    read_report,
    read_recipients,
    read_only<of::contacts::PartsQuery>,
    read_only<ct::imports::ImportQuery>,
    read_only<ct::imports::ListQuery>,
    read_only<of::contacts::AddressesQuery>,
    read_only<of::contacts::IdsQuery>,
    read_only<of::conversations::OfContactsQuery>,
    read_only<cv::messages::OfConversationQuery>,
    read_only<cv::stream::EventsQuery>,
    read_only<cv::subscriptions::DeliveriesQuery>,
    read_only<cv::test_sends::PreviewQuery>,
    read_only<of::organizations::AccountQuery>,
    read_only<og::audit::ListQuery>,
    read_only<og::credentials::ListQuery>,
    read_only<of::organizations::MembersQuery>,
    read_only<og::organizations::RemoveQuery>,
};

}  // namespace

FUZZ(queries) {
  const auto reader = kReaders[input.choice(std::size(kReaders))];
  const auto query = input.rest();
  refused([&] { reader(query); });
  refused([&] {
    const auto parameters = http::parse_query(query);
    std::string again;
    for (const auto& [name, value] : parameters) {
      http::append_encoded(again, name);
      again += '=';
      http::append_encoded(again, value);
      again += '&';
    }
    MUST(http::parse_query(again) == parameters);
    http::Request request;
    request.path = "/";
    request.query = query;
    const auto link = http::next_link(request, "x");
    const auto last = http::parse_query(std::string_view(link).substr(3, link.find('>') - 3)).back();
    MUST(last == std::pair<std::string, std::string>("cursor", "x"));
  });
}

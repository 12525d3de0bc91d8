// The body of every request that is read into a struct: what is taken, written and read again is the same; what is not
// is refused with its place. A new body is listed here.
#include "tests/fuzz/fuzz.hpp"  // before all others

#include <boost/mp11/algorithm.hpp>
#include <boost/mp11/list.hpp>

#include "common/contracts/contacts.hpp"
#include "common/contracts/organizations.hpp"
#include "common/http/body.hpp"
#include "contacts/contacts/shapes.hpp"
#include "contacts/lists/shapes.hpp"
#include "contacts/tags/shapes.hpp"
#include "conversations/campaigns/audience_lists/requests.hpp"
#include "conversations/campaigns/shapes.hpp"
#include "conversations/campaigns/test_sends/shapes.hpp"
#include "conversations/events/subscriptions/shapes.hpp"
#include "conversations/inbox/conversations/shapes.hpp"
#include "conversations/inbox/optout/shapes.hpp"
#include "conversations/messages/requests.hpp"
#include "organizations/accounts/shapes.hpp"
#include "organizations/credentials/shapes.hpp"
#include "organizations/invites/shapes.hpp"
#include "organizations/members/shapes.hpp"
#include "organizations/organizations/shapes.hpp"
#include "organizations/roles/shapes.hpp"
#include "organizations/sessions/shapes.hpp"
#include "organizations/users/shapes.hpp"

using namespace parley;

namespace {

namespace ct = contacts;
namespace cv = conversations;
namespace og = organizations;
namespace of = contracts;

using Bodies = boost::mp11::mp_list<
    ct::contacts::ContactBody, std::vector<ct::contacts::ContactBody>, ct::lists::CreateList, ct::lists::UpdateList,
    ct::lists::UpdateMembers, of::contacts::MakeList, of::contacts::Lists, of::contacts::AddContacts,
    ct::tags::CreateTag, ct::tags::UpdateTag, of::contacts::TagNames, of::contacts::Resolve,
    of::contacts::AudienceQuestion, of::contacts::VariablesQuestion, cv::conversations::StartConversation,
    cv::conversations::UpdateConversation, cv::conversations::Assign, cv::conversations::SetTags,
    cv::messages::MessageBody, cv::campaigns::CampaignBody, cv::audience_lists::RetargetBody, cv::test_sends::TestBody,
    cv::optout::UpdateSettings, cv::subscriptions::CreateWebhook, cv::subscriptions::UpdateWebhook,
    og::accounts::Connect, og::credentials::CreateKey, of::organizations::Verify, og::invites::CreateInvite,
    og::invites::Join, og::members::UpdateMember, og::organizations::CreateOrganization,
    og::organizations::UpdateOrganization, og::users::Register, og::users::UpdateUser, og::roles::CreateRole,
    og::roles::UpdateRole, og::sessions::Login>;

template <class T>
T read(std::string_view text) {
  const auto json = http::parse_body(text);
  T out;
  model::Reader reader;
  reader.read(json, out);
  for (const auto& fault : reader.faults) {  // each names a place that is there, or whose parent is
    boost::system::error_code error;
    const auto parent = fault.pointer.substr(0, fault.pointer.rfind('/'));
    MUST(json.find_pointer(parent, error) && !fault.detail.empty());
  }
  http::throw_faults(std::move(reader.faults));
  return out;
}

template <class T>
void check_further(T) {}
void check_further(cv::audience_lists::RetargetBody body) { cv::audience_lists::check(std::move(body)); }
void check_further(cv::messages::MessageBody body) {
  http::Faults faults;
  cv::messages::check(std::move(body), "", faults);
  faults.throw_if_any();
}

template <class T>
void round_trip(std::string_view text) {
  T body;
  if (refused([&] { body = read<T>(text); })) return;
  const auto written = model::to_json(body);
  T again;
  MUST(!refused([&] { again = read<T>(written); }));
  MUST_EQUAL(written, model::to_json(again));
  refused([&] { check_further(std::move(body)); });
}

}  // namespace

FUZZ(bodies) {
  const auto which = input.choice(boost::mp11::mp_size<Bodies>::value);
  boost::mp11::mp_with_index<boost::mp11::mp_size<Bodies>::value>(
      which, [&](auto index) { round_trip<boost::mp11::mp_at_c<Bodies, index>>(input.rest()); });
}

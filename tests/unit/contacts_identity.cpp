// Whose number and channel id are whose, decided without a database.
#include <doctest/doctest.h>

#include "contacts/identities/merge.hpp"

using namespace parley;
using contacts::identities::find_identity;
using contacts::identities::Identity;
using contacts::identities::Known;
using contacts::identities::KnownRow;
using contacts::identities::Person;
using Text = std::optional<std::string>;

namespace {

Person person(Text phone, Text user, Text former = {}) {
  return {std::move(phone), std::move(user), {}, std::move(former)};
}

KnownRow contact(Text phone, Text user) { return {model::new_uuid(), std::move(phone), std::move(user)}; }

}  // namespace

TEST_CASE("identity: who is known and tells nothing more is left as they are") {
  const auto both = contact("+491", "DE.1"), number = contact("+492", {}), user = contact({}, "DE.3");
  for (const auto& [asked, row] : {std::pair(person("+491", "DE.1"), both),
                                   {person("+491", {}), both},
                                   {person({}, "DE.1"), both},
                                   {person("+492", {}), number},
                                   {person({}, "DE.3"), user}}) {
    const auto found = find_identity(asked, Known({row}));
    REQUIRE(found);
    CHECK_EQ(found->contact, row.id);
    CHECK_FALSE(found->is_new);
  }
  CHECK_FALSE(find_identity(person("+491", "DE.1"), Known({})));
}

TEST_CASE("identity: what is missing is learned, what is out of date replaced") {
  const auto number = contact("+491", {}), user = contact({}, "DE.1"), other_user = contact("+491", "DE.9"),
             moved = contact("+499", "DE.1");
  for (const auto& row : {number, user, other_user, moved}) {
    const auto found = find_identity(person("+491", "DE.1"), Known({row}));
    REQUIRE(found);
    CHECK(found->is_new);
    CHECK_EQ(found->contact, row.id);
    CHECK_EQ(found->phone, "+491");
    CHECK_EQ(found->channel_user_id, "DE.1");
    CHECK(found->gone.empty());
    CHECK_FALSE(found->robbed);
  }
}

TEST_CASE("identity: a number moves, and two contacts become the one that has a number, or the older") {
  const auto former = contact("+491", "DE.1");
  auto found = find_identity(person("+492", "DE.2", "+491"), Known({former}));
  REQUIRE(found);
  CHECK_EQ(found->contact, former.id);
  CHECK_EQ(found->phone, "+492");
  CHECK_EQ(found->channel_user_id, "DE.2");

  found = find_identity(person({}, "DE.2", "+491"), Known({former}));  // the new number is not told
  REQUIRE(found);
  CHECK_FALSE(found->phone);
  CHECK_EQ(found->channel_user_id, "DE.2");

  const auto user = contact({}, "DE.5"), number = contact("+495", {});  // the one without a number is older
  found = find_identity(person("+495", "DE.5"), Known({user, number}));
  REQUIRE(found);
  CHECK_EQ(found->contact, number.id);
  CHECK_EQ(found->gone, std::vector{user.id});

  const auto present = contact("+492", {});
  found = find_identity(person("+492", {}, "+491"), Known({present, former}));
  REQUIRE(found);
  CHECK_EQ(found->contact, former.id);
  CHECK_EQ(found->gone, std::vector{present.id});
  CHECK_EQ(found->phone, "+492");
  CHECK_EQ(found->channel_user_id, "DE.1");

  const auto third = contact({}, "DE.3");
  found = find_identity(person("+492", "DE.3", "+491"), Known({third, present, former}));
  REQUIRE(found);
  CHECK_EQ(found->contact, former.id);
  CHECK_EQ(found->gone.size(), 2);
  CHECK_EQ(found->channel_user_id, "DE.3");
}

TEST_CASE("identity: numbers tell people apart, the channel's id follows the number") {
  const auto number = contact("+491", {}), other = contact("+492", "DE.1");
  const auto found = find_identity(person("+491", "DE.1"), Known({number, other}));
  REQUIRE(found);
  CHECK_EQ(found->contact, number.id);
  CHECK(found->gone.empty());
  CHECK_EQ(found->robbed, other.id);
  CHECK_EQ(found->channel_user_id, "DE.1");
}

TEST_CASE("identity: who comes under a former id is told in present ones") {
  auto other = contact("+492", "DE.8"), gone_over = contact("+491", "DE.3");
  gone_over.former_user_id = "DE.1";
  auto before = gone_over;
  before.former_user_id = "DE.2";
  const Known known({gone_over, before, other});
  const auto told = [&](Text phone, Text user, Text former_phone = {}, Text former_user = {}) {
    const auto out =
        known.present({std::move(phone), std::move(user), {}, std::move(former_phone), std::move(former_user)});
    const auto text = [](const Text& field) { return field.value_or("-"); };
    return text(out.phone) + ' ' + text(out.channelUserId) + ' ' + text(out.formerPhone) + ' ' +
           text(out.formerChannelUserId);
  };
  CHECK_EQ(told({}, "DE.1"), "- DE.3 - -");
  CHECK_EQ(told("+491", "DE.2"), "+491 DE.3 - -");
  CHECK_EQ(told("+499", "DE.2"), "+491 DE.3 - -");  // an outdated number
  CHECK_EQ(told("+492", "DE.1"), "+492 - - -");     // another's by now
  CHECK_EQ(told("+499", "DE.1", "+492"), "+499 - +492 -");
  CHECK_EQ(told({}, "DE.2", {}, "DE.1"), "- DE.3 - -");  // late, or again
  CHECK_EQ(told({}, "DE.3", {}, "DE.2"), "- DE.3 - -");
  CHECK_EQ(told({}, "DE.4", {}, "DE.2"), "- DE.4 - DE.3");  // a change that was missed lies between
  CHECK_EQ(told({}, "DE.1", {}, "DE.3"), "- DE.1 - DE.3");  // back
  CHECK_EQ(told({}, "DE.8", {}, "DE.7"), "- DE.8 - DE.7");  // unknown ids stay
  CHECK_EQ(told({}, "DE.7"), "- DE.7 - -");
}

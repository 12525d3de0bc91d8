#pragma once
// What other services ask contacts.
#include "common/chassis/operation.hpp"
#include "common/model/contact.hpp"

namespace parley::contracts::contacts {

// ---- people, as the channel knows them ------------------------------------------------------------------------------

// Somebody as the channel tells of them.
struct Person {
  std::optional<std::string> phone, channelUserId;  // one at least
  std::optional<std::string> name;                  // of their profile
  std::optional<std::string> formerPhone;           // which they have given up
};
BOOST_DESCRIBE_STRUCT(Person, (), (phone, channelUserId, name, formerPhone))

struct Resolve {
  model::Uuid organizationId;
  std::vector<Person> people;
};
BOOST_DESCRIBE_STRUCT(Resolve, (), (organizationId, people))

struct ResolvedContact {
  model::Uuid contactId;
  model::ContactStatus status = model::ContactStatus::Active;
  bool created = false;  // by this request
};
BOOST_DESCRIBE_STRUCT(ResolvedContact, (), (contactId, status, created))

struct Resolved {
  std::vector<ResolvedContact> contacts;  // as the people were given
};
BOOST_DESCRIBE_STRUCT(Resolved, (), (contacts))

// Who these are; strangers become contacts. 400: there can be no such people.
inline constexpr std::size_t kMaxPeople = 1'000;
inline constexpr chassis::Post<Resolve, Resolved> resolve{
    .caller = "conversations", .path = "/internal/contacts/resolve", .answer_time = std::chrono::seconds(4)};

struct AddressesQuery {
  std::optional<model::Uuid> organization_id;
  std::optional<std::vector<model::Uuid>> contact_ids;
};
BOOST_DESCRIBE_STRUCT(AddressesQuery, (), (organization_id, contact_ids))

// Where a contact is reached, and whether it may be.
struct Address {
  std::optional<std::string> phone;          // with its plus
  std::optional<std::string> channelUserId;  // of a user whose number is not known
  model::ContactStatus status = model::ContactStatus::Active;
  std::string name;
  std::optional<model::Timestamp> statusAt;  // null: nobody has said anything of it
};
BOOST_DESCRIBE_STRUCT(Address, (), (phone, channelUserId, status, name, statusAt))

// Of those that there are.
inline constexpr std::size_t kMaxAddresses = 100;
inline constexpr chassis::Get<AddressesQuery, chassis::Lines<Address>> addresses{
    .caller = "conversations", .path = "/internal/contacts/addresses", .answer_time = chassis::kPartTime};

// A search, or else a list.
struct IdsQuery {
  std::optional<model::Uuid> organization_id{};
  std::optional<std::string> search{};
  std::optional<model::Uuid> list_id{}, after{};  // after: the last contact of the page before, of a list's
  std::optional<std::int64_t> limit{};
};
BOOST_DESCRIBE_STRUCT(IdsQuery, (), (organization_id, search, list_id, after, limit))

struct Ids {
  std::vector<model::Uuid> contactIds;
  bool more = false;
};
BOOST_DESCRIBE_STRUCT(Ids, (), (contactIds, more))

// Of a list in the order of the ids; of a search the best ones.
inline constexpr std::size_t kMaxFound = 1'000;
inline constexpr chassis::Get<IdsQuery, Ids> ids{.caller = "conversations", .path = "/internal/contacts/ids"};

struct PartsQuery {
  std::optional<model::Uuid> organization_id;
  std::optional<std::vector<model::Uuid>> contact_ids, tag_ids;
};
BOOST_DESCRIBE_STRUCT(PartsQuery, (), (organization_id, contact_ids, tag_ids))

// What conversations embed. An id is of one of both.
using PartLines = chassis::Lines<model::ContactSummary, model::Tag>;
inline constexpr chassis::Get<PartsQuery, PartLines> parts{
    .caller = "conversations", .path = "/internal/contacts/parts", .answer_time = chassis::kPartTime};

// ---- lists and tags -------------------------------------------------------------------------------------------------

struct MakeList {
  model::Uuid organizationId, id;
  std::string name, description;
  std::vector<std::string> tags;
};
BOOST_DESCRIBE_STRUCT(MakeList, (), (organizationId, id, name, description, tags))

// Makes a list under an id that the caller has chosen, unless there is one. With an Idempotency-Key it does not bring
// back one that was deleted meanwhile.
inline constexpr chassis::Post<MakeList, chassis::Nothing> make_list{
    .caller = "conversations", .path = "/internal/lists", .answer_time = std::chrono::seconds(2)};

struct AddContacts {
  model::Uuid organizationId;
  std::vector<model::Uuid> contactIds;
};
BOOST_DESCRIBE_STRUCT(AddContacts, (), (organizationId, contactIds))

struct Added {
  std::int64_t contacts = 0;  // of those named: who there are, with room for a list, and so are in it now
};
BOOST_DESCRIBE_STRUCT(Added, (), (contacts))

// To the list {id}. 404: there is none.
inline constexpr chassis::Post<AddContacts, Added> add_contacts{
    .caller = "conversations", .path = "/internal/lists/{id}/contacts", .answer_time = std::chrono::seconds(20)};

struct Lists {
  model::Uuid organizationId;
  std::vector<model::Uuid> listIds;
};
BOOST_DESCRIBE_STRUCT(Lists, (), (organizationId, listIds))

// Answers those that exist.
inline constexpr chassis::Post<Lists, Lists> known_lists{.caller = "conversations", .path = "/internal/lists/known"};

struct TagNames {
  model::Uuid organizationId;
  std::vector<std::string> tags;  // each a tag's id, or else a label
};
BOOST_DESCRIBE_STRUCT(TagNames, (), (organizationId, tags))

struct Tags {
  std::vector<model::Tag> tags;  // in the order of their names, each name once
};
BOOST_DESCRIBE_STRUCT(Tags, (), (tags))

// Makes those that there are not. 400 at /tags/N: this can be no tag.
inline constexpr chassis::Post<TagNames, Tags> resolve_tags{.caller = "conversations",
                                                            .path = "/internal/tags/resolve"};

// ---- contacts as campaigns see them. Posts as what they ask with is longer than a target may be. --------------------

struct AudienceQuestion {
  model::Uuid organizationId;
  std::vector<model::Uuid> listIds;
  std::optional<std::vector<model::Uuid>> excludedListIds;
  std::optional<model::Uuid> after;
  std::optional<std::int64_t> limit;
  std::vector<std::string> variables;
};
BOOST_DESCRIBE_STRUCT(AudienceQuestion, (), (organizationId, listIds, excludedListIds, after, limit, variables))

// A contact as campaigns need it.
struct Recipient {
  std::optional<std::string> phone, channelUserId;
  model::ContactStatus status = model::ContactStatus::Active;
  std::vector<std::optional<std::string>> values;  // of the variables that were asked for, in their order
};
BOOST_DESCRIBE_STRUCT(Recipient, (), (phone, channelUserId, status, values))

// A page of who is in one of the lists and in no excluded one, in the order of their ids; behind their lines one that
// says `next ID`, to be asked for what comes after it, or `end`.
inline constexpr std::string_view kNextPage = "next ", kNoNextPage = "end";
inline constexpr chassis::Post<AudienceQuestion, chassis::Lines<Recipient>> audience{
    .caller = "conversations", .path = "/internal/contacts/audience", .answer_time = std::chrono::seconds(4)};

struct VariablesQuestion {
  model::Uuid organizationId;
  std::vector<model::Uuid> contactIds;
  std::vector<std::string> variables;
};
BOOST_DESCRIBE_STRUCT(VariablesQuestion, (), (organizationId, contactIds, variables))

// The values of those that there are.
inline constexpr std::size_t kMaxRecipients = 100;
inline constexpr chassis::Post<VariablesQuestion, chassis::Lines<Recipient>> variables{
    .caller = "conversations", .path = "/internal/contacts/variables", .answer_time = chassis::kPartTime};

}  // namespace parley::contracts::contacts

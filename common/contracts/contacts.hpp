#pragma once
// Operations of contacts that other services call.
#include "common/chassis/operation.hpp"
#include "common/model/contact.hpp"
#include "common/model/list.hpp"

namespace parley::contracts::contacts {

// ---- people, as the channel reports them ----------------------------------------------------------------------------

// A person as the channel reports them.
struct Person {
  std::optional<std::string> phone, channelUserId;   // at least one is set
  std::optional<std::string> name;                   // from the profile
  std::optional<std::string> formerPhone;            // a number that the person gave up
  std::optional<std::string> formerChannelUserId{};  // the channel's id before a change
};
BOOST_DESCRIBE_STRUCT(Person, (), (phone, channelUserId, name, formerPhone, formerChannelUserId))

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
  std::vector<ResolvedContact> contacts;  // in the order of the people
};
BOOST_DESCRIBE_STRUCT(Resolved, (), (contacts))

// Finds the contacts of these people; creates contacts for unknown ones. 400: invalid people.
inline constexpr std::size_t kMaxPeople = 1'000;
inline constexpr chassis::Post<Resolve, Resolved> resolve{
    .caller = "conversations", .path = "/internal/contacts/resolve", .answer_time = std::chrono::seconds(4)};

struct AddressesQuery {
  std::optional<model::Uuid> organization_id;
  std::optional<std::vector<model::Uuid>> contact_ids;
};
BOOST_DESCRIBE_STRUCT(AddressesQuery, (), (organization_id, contact_ids))

// The address of a contact, and whether it may be messaged.
struct Address {
  std::optional<std::string> phone;          // with its plus
  std::optional<std::string> channelUserId;  // set for a user whose number is unknown
  model::ContactStatus status = model::ContactStatus::Active;
  std::string name;
  std::optional<model::Timestamp> statusAt;  // null: the status was never set
};
BOOST_DESCRIBE_STRUCT(Address, (), (phone, channelUserId, status, name, statusAt))

// Returns the contacts that exist.
inline constexpr std::size_t kMaxAddresses = 100;
inline constexpr chassis::Get<AddressesQuery, chassis::Lines<Address>> addresses{
    .caller = "conversations", .path = "/internal/contacts/addresses", .answer_time = chassis::kPartTime};

// Either a search or a list.
struct IdsQuery {
  std::optional<model::Uuid> organization_id{};
  std::optional<std::string> search{};
  std::optional<model::Uuid> list_id{}, after{};  // after: the last contact of the list's previous page
  std::optional<std::int64_t> limit{};
};
BOOST_DESCRIBE_STRUCT(IdsQuery, (), (organization_id, search, list_id, after, limit))

struct Ids {
  std::vector<model::Uuid> contactIds;
  bool more = false;
};
BOOST_DESCRIBE_STRUCT(Ids, (), (contactIds, more))

// A list's contacts are ordered by id; a search returns the best matches.
inline constexpr std::size_t kMaxFound = 1'000;
inline constexpr chassis::Get<IdsQuery, Ids> ids{.caller = "conversations", .path = "/internal/contacts/ids"};

struct PartsQuery {
  std::optional<model::Uuid> organization_id;
  std::optional<std::vector<model::Uuid>> contact_ids, tag_ids;
};
BOOST_DESCRIBE_STRUCT(PartsQuery, (), (organization_id, contact_ids, tag_ids))

// The parts that conversations embed. Each id belongs to either a contact or a tag.
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

// Creates a list under an id chosen by the caller, unless it exists. With an Idempotency-Key a retry does not restore a
// list that was deleted meanwhile.
inline constexpr chassis::Post<MakeList, chassis::Nothing> make_list{
    .caller = "conversations", .path = "/internal/lists", .answer_time = std::chrono::seconds(2)};

struct AddContacts {
  model::Uuid organizationId;
  std::vector<model::Uuid> contactIds;
};
BOOST_DESCRIBE_STRUCT(AddContacts, (), (organizationId, contactIds))

struct Added {
  std::int64_t contacts = 0;  // of the named contacts, those that exist, have room for a list, and are now in this one
};
BOOST_DESCRIBE_STRUCT(Added, (), (contacts))

// Adds contacts to the list {id}. 404: no such list.
inline constexpr chassis::Post<AddContacts, Added> add_contacts{
    .caller = "conversations", .path = "/internal/lists/{id}/contacts", .answer_time = std::chrono::seconds(20)};

struct Lists {
  model::Uuid organizationId;
  std::vector<model::Uuid> listIds;
};
BOOST_DESCRIBE_STRUCT(Lists, (), (organizationId, listIds))

// Returns the lists that exist.
inline constexpr chassis::Post<Lists, Lists> known_lists{.caller = "conversations", .path = "/internal/lists/known"};

struct Segments {
  model::Uuid organizationId;
  std::vector<model::Uuid> segmentIds;
};
BOOST_DESCRIBE_STRUCT(Segments, (), (organizationId, segmentIds))

// Returns the segments that exist.
inline constexpr chassis::Post<Segments, Segments> known_segments{.caller = "conversations",
                                                                  .path = "/internal/segments/known"};

struct TagNames {
  model::Uuid organizationId;
  std::vector<std::string> tags;  // each a tag's id or a label
};
BOOST_DESCRIBE_STRUCT(TagNames, (), (organizationId, tags))

struct Tags {
  std::vector<model::Tag> tags;  // ordered by name, without duplicates
};
BOOST_DESCRIBE_STRUCT(Tags, (), (tags))

// Creates missing tags. 400 at /tags/N: not a valid tag.
inline constexpr chassis::Post<TagNames, Tags> resolve_tags{.caller = "conversations",
                                                            .path = "/internal/tags/resolve"};

// ---- contacts for campaigns; POST, as these questions exceed the length limit of a target
// ----------------------------

struct AudienceQuestion {
  model::Uuid organizationId;
  std::vector<model::Uuid> listIds;
  std::optional<std::vector<model::Uuid>> excludedListIds;
  std::optional<model::Uuid> after;
  std::optional<std::int64_t> limit;
  std::vector<std::string> variables;
  std::optional<std::vector<model::Uuid>> segmentIds{};
};
BOOST_DESCRIBE_STRUCT(AudienceQuestion, (),
                      (organizationId, listIds, excludedListIds, after, limit, variables, segmentIds))

// A contact as campaigns need it.
struct Recipient {
  std::optional<std::string> phone, channelUserId;
  model::ContactStatus status = model::ContactStatus::Active;
  std::vector<std::optional<std::string>> values;  // of the requested variables, in their order
};
BOOST_DESCRIBE_STRUCT(Recipient, (), (phone, channelUserId, status, values))

// A page of the contacts that are in one of the lists or segments and in no excluded list, ordered by id. The last line
// is `next ID`, where ID is the `after` of the next page, or `end`.
inline constexpr std::string_view kNextPage = "next ", kNoNextPage = "end";
inline constexpr chassis::Post<AudienceQuestion, chassis::Lines<Recipient>> audience{
    .caller = "conversations", .path = "/internal/contacts/audience", .answer_time = std::chrono::seconds(4)};

// Gives each contact a number from 0 to 99 by its id, the same at each call: (multiplier * x + addend) mod (2^31 - 1)
// mod 100, where x is the last 28 bits of the id. Both numbers are below 2^31 - 1.
struct Draws {
  std::int64_t multiplier = 1, addend = 0;
};
BOOST_DESCRIBE_STRUCT(Draws, (), (multiplier, addend))

struct AudienceCountQuestion {
  model::Uuid organizationId;
  std::vector<model::Uuid> listIds, excludedListIds;
  std::vector<std::string> variables;
  std::int64_t wholeOctets = 0;
  std::optional<Draws> draws;        // absent: the draw of everybody is 0
  std::vector<std::int64_t> bounds;  // ascending; draws between the same two are told as the lower one
  std::optional<std::vector<model::Uuid>> segmentIds{};
};
BOOST_DESCRIBE_STRUCT(AudienceCountQuestion, (),
                      (organizationId, listIds, excludedListIds, variables, wholeOctets, draws, bounds, segmentIds))

// What a variable's value is: there is none, or a blank one (0); it has at most `wholeOctets`, percent-encoded too (1),
// only as it is (2), or not even so (3).
enum class ValueKind { unset, encodable, whole, too_long };

// Contacts that are alike in all of this.
struct AudienceGroup {
  model::ContactStatus status = model::ContactStatus::Active;
  bool hasAddress = false;  // a phone number or a channel user id
  std::int64_t draw = 0;
  std::vector<std::int64_t> values;  // a ValueKind for each variable
  std::int64_t contacts = 0;
};
BOOST_DESCRIBE_STRUCT(AudienceGroup, (), (status, hasAddress, draw, values, contacts))

struct AudienceCount {
  std::vector<AudienceGroup> groups;
  bool isWhole = true;  // false: there are more than kMaxGroups, and some are missing
};
BOOST_DESCRIBE_STRUCT(AudienceCount, (), (groups, isWhole))

// Counts the contacts that `audience` gives, in one snapshot. 503: too many are counted at once.
inline constexpr std::size_t kMaxCountedVariables = 16;
inline constexpr std::int64_t kMaxGroups = 10'000;
inline constexpr chassis::Post<AudienceCountQuestion, AudienceCount> count_audience{
    .caller = "conversations", .path = "/internal/contacts/audience/count", .answer_time = std::chrono::seconds(9)};

struct VariablesQuestion {
  model::Uuid organizationId;
  std::vector<model::Uuid> contactIds;
  std::vector<std::string> variables;
};
BOOST_DESCRIBE_STRUCT(VariablesQuestion, (), (organizationId, contactIds, variables))

// Returns the values of the contacts that exist.
inline constexpr std::size_t kMaxRecipients = 100;
inline constexpr chassis::Post<VariablesQuestion, chassis::Lines<Recipient>> variables{
    .caller = "conversations", .path = "/internal/contacts/variables", .answer_time = chassis::kPartTime};

}  // namespace parley::contracts::contacts

#pragma once
// The filter of a segment: a tree of conditions about a contact, as JSON of the API. See Filter in
// gateway/openapi.yaml.
#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "common/http/problem.hpp"
#include "common/model/contact.hpp"

namespace parley::contacts::segments {

// Bounds, so that no filter is an expensive statement.
inline constexpr std::size_t kMaxDepth = 5;         // of conditions in each other
inline constexpr std::size_t kMaxConditions = 50;   // in all
inline constexpr std::size_t kMaxValues = 100;      // of a condition
inline constexpr std::size_t kMaxAllValues = 500;   // of all conditions together
inline constexpr std::size_t kMaxCharacters = 255;  // of an attribute's name and of a text
// Texts that begin or contain: each is looked for in the first characters of a value, which takes the product of both.
inline constexpr std::size_t kMaxPatterns = 20;  // of all conditions together
inline constexpr std::size_t kMaxSearched = 256;
inline constexpr double kMaxNumber = 1e15;
inline constexpr std::int64_t kMaxDays = 36'500;

struct Condition;

struct All {
  std::vector<Condition> conditions;
};
struct Any {
  std::vector<Condition> conditions;
};
struct Not {
  std::vector<Condition> condition;  // one
};

// Conditions on an attribute say what to read it as; a value that cannot be read so fulfils none.

enum class TextOperator { is, contains, startsWith };
BOOST_DESCRIBE_ENUM(TextOperator, is, contains, startsWith)

struct Text {
  std::string attribute;
  TextOperator op = TextOperator::is;
  std::vector<std::string> values;  // one of them
};

struct Number {
  std::string attribute;
  std::optional<double> atLeast, atMost, moreThan, lessThan;
};
BOOST_DESCRIBE_STRUCT(Number, (), (attribute, atLeast, atMost, moreThan, lessThan))

// Days such as 2026-01-31, the bounds included; or numbers of days from today in UTC, negative for those before.
struct Date {
  std::string attribute;
  std::optional<std::string> from, to;
  std::optional<std::int64_t> fromDays, toDays;
};
BOOST_DESCRIBE_STRUCT(Date, (), (attribute, from, to, fromDays, toDays))

struct YesNo {
  std::string attribute;
  bool is = false;
};
BOOST_DESCRIBE_STRUCT(YesNo, (), (attribute, is))

struct Present {
  std::string attribute;
};
BOOST_DESCRIBE_STRUCT(Present, (), (attribute))

// One of the tags, of the lists, or of the statuses.
struct Tags {
  std::vector<model::Uuid> tagIds;
};
BOOST_DESCRIBE_STRUCT(Tags, (), (tagIds))

struct Lists {
  std::vector<model::Uuid> listIds;
};
BOOST_DESCRIBE_STRUCT(Lists, (), (listIds))

struct Statuses {
  std::vector<model::ContactStatus> statuses;
};
BOOST_DESCRIBE_STRUCT(Statuses, (), (statuses))

// The day in UTC of a contact's last inbound message, or of the last campaign that was sent to it; bounds as in Date.
// Without bounds: any day.
struct LastDay {
  std::optional<std::string> from, to;
  std::optional<std::int64_t> fromDays, toDays;
  bool is_of_campaign = false;
};
BOOST_DESCRIBE_STRUCT(LastDay, (), (from, to, fromDays, toDays))

enum class Did { received, read, clicked, replied };
BOOST_DESCRIBE_ENUM(Did, received, read, clicked, replied)

// Did it with the message of one of the campaigns.
struct Recipients {
  std::vector<model::Uuid> campaignIds;
  Did did = Did::received;
};
BOOST_DESCRIBE_STRUCT(Recipients, (), (campaignIds, did))

struct Condition {
  std::variant<All, Any, Not, Text, Number, Date, YesNo, Present, Tags, Lists, Statuses, LastDay, Recipients> is;
};

// A key, cut off if it is long, as a step of a JSON pointer.
std::string pointer_step(std::string_view key);

// Reads a filter that stands at `pointer` in the input; adds what is wrong with it to the faults.
Condition read_filter(const boost::json::value& json, const std::string& pointer, http::Faults& faults);
// One that was stored. Throws std::runtime_error if this release does not know one of its conditions.
Condition read_stored(std::string_view json);

// The tags and lists that a filter names, with the place of each.
struct Named {
  std::string pointer;
  model::Uuid id;
};
struct AllNamed {
  std::vector<Named> tags, lists;
};
AllNamed named_in(const Condition& filter, const std::string& pointer);
std::vector<model::Uuid> ids_of(const std::vector<Named>& named);
// Takes out all but these, which are sorted. A condition that has none left is fulfilled by nobody.
void keep_known(Condition& filter, const std::vector<model::Uuid>& tags, const std::vector<model::Uuid>& lists);

}  // namespace parley::contacts::segments

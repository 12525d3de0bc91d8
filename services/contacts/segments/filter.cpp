#include "contacts/segments/filter.hpp"

#include <algorithm>
#include <array>
#include <boost/json/value.hpp>
#include <charconv>
#include <chrono>
#include <cmath>
#include <stdexcept>

#include "common/model/text.hpp"
#include "common/pg/column.hpp"

namespace parley::contacts::segments {

namespace {

namespace json = boost::json;

// `operator` is a word of C++.
struct TextMembers {
  std::string attribute;
  std::vector<std::string> values;
};
BOOST_DESCRIBE_STRUCT(TextMembers, (), (attribute, values))

bool is_date(std::string_view text) {
  constexpr std::string_view kForm = "0000-00-00";
  if (text.size() != kForm.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (kForm[i] == '-' ? text[i] != '-' : text[i] < '0' || text[i] > '9') return false;
  const auto number = [&](std::size_t from, std::size_t length) {
    unsigned out = 0;
    std::from_chars(text.data() + from, text.data() + from + length, out);
    return out;
  };
  const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(number(0, 4))),
                                         std::chrono::month(number(5, 2)), std::chrono::day(number(8, 2))};
  return number(0, 4) > 0 && date.ok();
}

class FilterReader {
 public:
  explicit FilterReader(http::Faults& faults) : faults_(faults) {}

  Condition read(const json::value& value, const std::string& pointer, std::size_t depth) {
    if (++conditions_ == kMaxConditions + 1)
      faults_.add(pointer, "is one too many: a filter has at most " + std::to_string(kMaxConditions) + " conditions");
    if (conditions_ > kMaxConditions) return {};
    if (depth > kMaxDepth) {
      faults_.add(pointer,
                  "is too deep: conditions stand at most " + std::to_string(kMaxDepth) + " deep in each other");
      return {};
    }
    const auto* object = value.if_object();
    if (!object) {
      faults_.add(pointer, "must be an object");
      return {};
    }
    const auto* type = object->if_contains("type");
    if (!type) {
      faults_.add(pointer + "/type", "is required");
      return {};
    }
    const std::string_view name = type->is_string() ? std::string_view(type->get_string()) : std::string_view();
    for (const auto& [known, method] : kTypes)
      if (name == known) return (this->*method)(*object, pointer, depth);
    std::string all;
    for (const auto& [known, method] : kTypes) all.append(all.empty() ? "" : ", ").append(known);
    faults_.add(pointer + "/type", "must be one of " + all);
    return {};
  }

 private:
  using Method = Condition (FilterReader::*)(const json::object&, const std::string&, std::size_t);

  Condition all(const json::object& object, const std::string& pointer, std::size_t depth) {
    return {All{several(object, pointer, depth)}};
  }
  Condition any(const json::object& object, const std::string& pointer, std::size_t depth) {
    return {Any{several(object, pointer, depth)}};
  }

  std::vector<Condition> several(const json::object& object, const std::string& pointer, std::size_t depth) {
    require_known(object, pointer, {"conditions"});
    const auto at = pointer + "/conditions";
    std::vector<Condition> out;
    const auto* given = object.if_contains("conditions");
    if (!given) {
      faults_.add(at, "is required");
    } else if (const auto* array = given->if_array(); !array || array->empty()) {
      faults_.add(at, "must be an array of at least one condition");
    } else if (array->size() > kMaxConditions) {
      faults_.add(at, "must be at most " + std::to_string(kMaxConditions));
    } else {
      for (std::size_t i = 0; i < array->size() && conditions_ <= kMaxConditions; ++i)
        out.push_back(read((*array)[i], at + "/" + std::to_string(i), depth + 1));
    }
    return out;
  }

  Condition negated(const json::object& object, const std::string& pointer, std::size_t depth) {
    require_known(object, pointer, {"condition"});
    Not out;
    if (const auto* given = object.if_contains("condition"))
      out.condition.push_back(read(*given, pointer + "/condition", depth + 1));
    else
      faults_.add(pointer + "/condition", "is required");
    return {std::move(out)};
  }

  Condition text(const json::object& object, const std::string& pointer, std::size_t) {
    require_known(object, pointer, {"attribute", "operator", "values"});
    auto members = members_of<TextMembers>(object, pointer);
    Text out{std::move(members.attribute), TextOperator::is, std::move(members.values)};
    if (const auto* given = object.if_contains("operator")) {
      model::Reader reader;
      reader.read(*given, out.op);
      add_faults(pointer + "/operator", reader);
    } else {
      faults_.add(pointer + "/operator", "is required");
    }
    check_name(pointer, out.attribute, object);
    check_values(pointer + "/values", out.values.size(), object.contains("values"));
    const bool are_patterns = out.op != TextOperator::is;
    const bool had_room = patterns_ <= kMaxPatterns;
    if (are_patterns) patterns_ += out.values.size();
    if (had_room && patterns_ > kMaxPatterns)
      faults_.add(pointer + "/values", "are too many: a filter has at most " + std::to_string(kMaxPatterns) +
                                           " texts that values begin with or contain");
    const std::size_t least = are_patterns ? 1 : 0;
    for (std::size_t i = 0; i < std::min(out.values.size(), kMaxValues); ++i)
      faults_.check_text(pointer + "/values/" + std::to_string(i), out.values[i], least, kMaxCharacters);
    return {std::move(out)};
  }

  Condition number(const json::object& object, const std::string& pointer, std::size_t) {
    auto out = described<Number>(object, pointer);
    check_name(pointer, out.attribute, object);
    const auto check = [&](const char* name, const std::optional<double>& bound) {
      if (bound && !(std::abs(*bound) <= kMaxNumber)) faults_.add(pointer + "/" + name, "must be from -1e15 to 1e15");
    };
    check("atLeast", out.atLeast);
    check("atMost", out.atMost);
    check("moreThan", out.moreThan);
    check("lessThan", out.lessThan);
    require_one_of(object, pointer, {"atLeast", "atMost", "moreThan", "lessThan"});
    refuse_both(object, pointer, "atLeast", "moreThan");
    refuse_both(object, pointer, "atMost", "lessThan");
    return {std::move(out)};
  }

  Condition date(const json::object& object, const std::string& pointer, std::size_t) {
    auto out = described<Date>(object, pointer);
    check_name(pointer, out.attribute, object);
    check_days(pointer, out, object);
    require_one_of(object, pointer, {"from", "to", "fromDays", "toDays"});
    return {std::move(out)};
  }

  Condition last_inbound(const json::object& object, const std::string& pointer, std::size_t) {
    auto out = described<LastDay>(object, pointer);
    check_days(pointer, out, object);
    return {std::move(out)};
  }

  Condition last_campaign(const json::object& object, const std::string& pointer, std::size_t) {
    auto out = described<LastDay>(object, pointer);
    out.is_of_campaign = true;
    check_days(pointer, out, object);
    return {std::move(out)};
  }

  Condition recipients(const json::object& object, const std::string& pointer, std::size_t) {
    auto out = described<Recipients>(object, pointer);
    check_values(pointer + "/campaignIds", out.campaignIds.size(), object.contains("campaignIds"));
    return {std::move(out)};
  }

  // Of a condition with days as bounds.
  template <class T>
  void check_days(const std::string& pointer, const T& out, const json::object& object) {
    for (const auto& [name, bound] : {std::pair("from", &out.from), std::pair("to", &out.to)})
      if (*bound && !is_date(**bound)) faults_.add(pointer + "/" + name, "must be a date, such as 2026-01-31");
    for (const auto& [name, days] : {std::pair("fromDays", &out.fromDays), std::pair("toDays", &out.toDays)})
      if (*days && (**days < -kMaxDays || **days > kMaxDays))
        faults_.add(pointer + "/" + name, "must be from -36500 to 36500");
    refuse_both(object, pointer, "from", "fromDays");
    refuse_both(object, pointer, "to", "toDays");
  }

  Condition yes_no(const json::object& object, const std::string& pointer, std::size_t) {
    auto out = described<YesNo>(object, pointer);
    check_name(pointer, out.attribute, object);
    return {std::move(out)};
  }

  Condition present(const json::object& object, const std::string& pointer, std::size_t) {
    auto out = described<Present>(object, pointer);
    check_name(pointer, out.attribute, object);
    return {std::move(out)};
  }

  Condition tags(const json::object& object, const std::string& pointer, std::size_t) {
    auto out = described<Tags>(object, pointer);
    check_values(pointer + "/tagIds", out.tagIds.size(), object.contains("tagIds"));
    return {std::move(out)};
  }

  Condition lists(const json::object& object, const std::string& pointer, std::size_t) {
    auto out = described<Lists>(object, pointer);
    check_values(pointer + "/listIds", out.listIds.size(), object.contains("listIds"));
    return {std::move(out)};
  }

  Condition statuses(const json::object& object, const std::string& pointer, std::size_t) {
    auto out = described<Statuses>(object, pointer);
    check_values(pointer + "/statuses", out.statuses.size(), object.contains("statuses"));
    return {std::move(out)};
  }

  static constexpr auto kTypes = std::to_array<std::pair<std::string_view, Method>>({
      {"all", &FilterReader::all},
      {"any", &FilterReader::any},
      {"not", &FilterReader::negated},
      {"text", &FilterReader::text},
      {"number", &FilterReader::number},
      {"date", &FilterReader::date},
      {"yesNo", &FilterReader::yes_no},
      {"present", &FilterReader::present},
      {"tag", &FilterReader::tags},
      {"list", &FilterReader::lists},
      {"status", &FilterReader::statuses},
      {"lastInbound", &FilterReader::last_inbound},
      {"lastCampaign", &FilterReader::last_campaign},
      {"campaign", &FilterReader::recipients},
  });

  template <class T>
  T members_of(const json::object& object, const std::string& pointer) {
    T out;
    model::Reader reader(model::Nulls::refused);
    reader.read(json::value(object), out);
    add_faults(pointer, reader);
    return out;
  }

  template <class T>
  T described(const json::object& object, const std::string& pointer) {
    std::vector<std::string_view> known;
    boost::mp11::mp_for_each<model::Members<T>>([&](auto member) { known.push_back(member.name); });
    require_known(object, pointer, known);
    return members_of<T>(object, pointer);
  }

  // A member that is not known could be a bound that is misspelled: who is meant would be others.
  void require_known(const json::object& object, const std::string& pointer,
                     const std::vector<std::string_view>& known) {
    for (const auto& member : object) {
      const std::string_view key = member.key();
      if (key != "type" && std::find(known.begin(), known.end(), key) == known.end())
        faults_.add(pointer + "/" + pointer_step(key), "is no member of this condition");
    }
  }

  void require_one_of(const json::object& object, const std::string& pointer,
                      std::initializer_list<std::string_view> names) {
    std::string all;
    for (const auto name : names) {
      if (object.contains(name)) return;
      all.append(all.empty() ? "" : ", ").append(name);
    }
    faults_.add(pointer, "needs a bound: " + all);
  }

  void refuse_both(const json::object& object, const std::string& pointer, std::string_view one,
                   std::string_view other) {
    if (object.contains(one) && object.contains(other))
      faults_.add(pointer + "/" + std::string(other), "cannot stand beside " + std::string(one));
  }

  void check_name(const std::string& pointer, const std::string& name, const json::object& object) {
    const auto* given = object.if_contains("attribute");
    if (given && given->is_string()) faults_.check_text(pointer + "/attribute", name, 1, kMaxCharacters);
  }

  void check_values(const std::string& pointer, std::size_t count, bool are_given) {
    if (are_given && (count == 0 || count > kMaxValues))
      faults_.add(pointer, "must be 1 to " + std::to_string(kMaxValues));
    const bool had_room = values_ <= kMaxAllValues;
    values_ += count;
    if (had_room && values_ > kMaxAllValues)
      faults_.add(pointer, "are too many: all conditions have at most " + std::to_string(kMaxAllValues) + " together");
  }

  void add_faults(const std::string& pointer, model::Reader& reader) {
    for (auto& fault : reader.faults) fault.pointer.insert(0, pointer);
    faults_.add(std::move(reader.faults));
  }

  http::Faults& faults_;
  std::size_t conditions_ = 0, values_ = 0, patterns_ = 0;
};

void add_named(const Condition& condition, const std::string& pointer, AllNamed& out) {
  const auto add = [](const auto& ids, const std::string& at, std::vector<Named>& named) {
    for (std::size_t i = 0; i < ids.size(); ++i) named.push_back({at + "/" + std::to_string(i), ids[i]});
  };
  const auto add_several = [&](const std::vector<Condition>& conditions) {
    for (std::size_t i = 0; i < conditions.size(); ++i)
      add_named(conditions[i], pointer + "/conditions/" + std::to_string(i), out);
  };
  if (const auto* all = std::get_if<All>(&condition.is)) add_several(all->conditions);
  if (const auto* any = std::get_if<Any>(&condition.is)) add_several(any->conditions);
  if (const auto* negated = std::get_if<Not>(&condition.is))
    add_named(negated->condition.front(), pointer + "/condition", out);
  if (const auto* tags = std::get_if<Tags>(&condition.is)) add(tags->tagIds, pointer + "/tagIds", out.tags);
  if (const auto* lists = std::get_if<Lists>(&condition.is)) add(lists->listIds, pointer + "/listIds", out.lists);
}

}  // namespace

std::string pointer_step(std::string_view key) {
  std::string out;
  for (const char c : model::first_octets(key, 64)) {
    if (c == '~')
      out += "~0";
    else if (c == '/')
      out += "~1";
    else
      out += c;
  }
  return out;
}

Condition read_filter(const boost::json::value& json, const std::string& pointer, http::Faults& faults) {
  return FilterReader(faults).read(json, pointer, 1);
}

Condition read_stored(std::string_view json) {
  model::Fault fault;
  const auto value = model::parse(json, fault);
  if (!value) throw std::runtime_error("a stored filter is no JSON: " + fault.detail);
  http::Faults faults;
  auto out = read_filter(*value, "", faults);
  if (!faults.empty()) throw std::runtime_error("a stored filter has a condition that this release does not know");
  return out;
}

void keep_known(Condition& filter, const std::vector<model::Uuid>& tags, const std::vector<model::Uuid>& lists) {
  const auto keep_in = [&](std::vector<Condition>& conditions) {
    for (auto& condition : conditions) keep_known(condition, tags, lists);
  };
  const auto keep = [](std::vector<model::Uuid>& ids, const std::vector<model::Uuid>& known) {
    std::erase_if(ids, [&](const auto& id) { return !std::binary_search(known.begin(), known.end(), id); });
  };
  if (auto* all = std::get_if<All>(&filter.is)) keep_in(all->conditions);
  if (auto* any = std::get_if<Any>(&filter.is)) keep_in(any->conditions);
  if (auto* negated = std::get_if<Not>(&filter.is)) keep_in(negated->condition);
  if (auto* named = std::get_if<Tags>(&filter.is)) keep(named->tagIds, tags);
  if (auto* named = std::get_if<Lists>(&filter.is)) keep(named->listIds, lists);
}

AllNamed named_in(const Condition& filter, const std::string& pointer) {
  AllNamed out;
  add_named(filter, pointer, out);
  return out;
}

std::vector<model::Uuid> ids_of(const std::vector<Named>& named) { return pg::column(named, &Named::id); }

}  // namespace parley::contacts::segments

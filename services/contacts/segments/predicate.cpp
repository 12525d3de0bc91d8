#include "contacts/segments/predicate.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <stdexcept>
#include <unordered_map>

#include "common/model/timestamp.hpp"
#include "contacts/contacts/search.hpp"

namespace parley::contacts::segments {

namespace {

constexpr std::string_view kParameter = "$@";

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};

std::string text_of(std::chrono::sys_days day) {
  constexpr std::size_t kDate = 10;  // 2026-01-31
  return model::Timestamp{std::chrono::milliseconds(day.time_since_epoch()).count()}.text().substr(0, kDate);
}

// Shortest form that is the same number.
std::string text_of(double number) {
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr;
  return {buffer.data(), end};
}

std::string pattern_of(std::string_view text, TextOperator op) {
  std::string out(op == TextOperator::contains ? "%" : "");
  for (const char c : text) {
    if (c == '\\' || c == '%' || c == '_') out += '\\';
    out += c;
  }
  return out + '%';
}

std::vector<std::string> spellings(bool is) {
  using Spellings = std::vector<std::string>;
  return is ? Spellings{"true", "True", "TRUE", "yes", "Yes", "YES"}
            : Spellings{"false", "False", "FALSE", "no", "No", "NO"};
}

// True if the index of attributes finds the contacts.
bool has_attributes(const Condition& condition) {
  return std::visit(Overloaded{[](const All& all) { return std::ranges::any_of(all.conditions, has_attributes); },
                               [](const Any& any) { return std::ranges::any_of(any.conditions, has_attributes); },
                               [](const Text& text) { return text.op == TextOperator::is; },
                               [](const YesNo&) { return true; }, [](const auto&) { return false; }},
                    condition.is);
}

// The index that would have the values of a condition; nullopt if none could.
std::optional<std::string> index_for(const Condition& condition) {
  return std::visit(Overloaded{[](const Number& number) { return std::optional("number " + number.attribute); },
                               [](const Date& date) { return std::optional("day " + date.attribute); },
                               [](const Text& text) {
                                 return text.op == TextOperator::is ? std::nullopt
                                                                    : std::optional("text " + text.attribute);
                               },
                               [](const auto&) { return std::optional<std::string>(); }},
                    condition.is);
}

// True if it reads what contacts did.
bool has_activity(const Condition& condition) {
  return std::visit(Overloaded{[](const All& all) { return std::ranges::any_of(all.conditions, has_activity); },
                               [](const Any& any) { return std::ranges::any_of(any.conditions, has_activity); },
                               [](const Not& negated) { return has_activity(negated.condition.front()); },
                               [](const LastDay&) { return true; }, [](const Recipients&) { return true; },
                               [](const auto&) { return false; }},
                    condition.is);
}

class Compiler {
 public:
  Compiler(const Scope& scope, std::vector<std::string>& values) : scope_(scope), values_(values) {}

  // As joins, tags and lists would be read as a whole for a few rows.
  std::string step(const Condition& condition, const std::string& row) {
    one_by_one_ = true;
    auto out = each(condition, row);
    one_by_one_ = false;
    return out;
  }

  // Each condition is true or false, never NULL, so that it may stand in a NOT.
  std::string each(const Condition& condition, const std::string& row) {
    return std::visit(Overloaded{[&](const All& all) { return joined(all.conditions, " AND ", row, &Compiler::each); },
                                 [&](const Any& any) { return joined(any.conditions, " OR ", row, &Compiler::each); },
                                 [&](const Not& negated) { return "NOT " + each(negated.condition.front(), row); },
                                 [&](const auto& leaf) { return text(leaf, row); }},
                      condition.is);
  }

  // The planner finds rows by an index for what is joined by AND, and for what is joined by OR within a row. Else the
  // branches are found one by one. Indexes of attributes are used here alone: to test all rows takes no longer without.
  std::string all(const Condition& condition, const std::string& row) {
    if (const auto* conditions = std::get_if<All>(&condition.is))
      return joined(conditions->conditions, " AND ", row, &Compiler::all);
    if (const auto* index = index_of(condition)) return is_in(*index, condition, row);
    const auto* any = std::get_if<Any>(&condition.is);
    if (!any || !is_indexed(condition) || is_of_row(condition)) return each(condition, row);
    std::string out = row + ".id IN (";
    for (const auto& branch : any->conditions)
      out.append(&branch == &any->conditions.front() ? "" : " UNION ALL ").append(ids(branch));
    return out + ")";
  }

  // True if the organization is to be no index condition of a statement with all(). It is one where an index of
  // attributes may give the ids.
  bool is_large(const Condition& condition) const {
    return scope_.is_large && has_attributes(condition) && !gives_ids(condition);
  }

 private:
  using Method = std::string (Compiler::*)(const Condition&, const std::string&);

  bool gives_ids(const Condition& condition) const {
    const auto* all = std::get_if<All>(&condition.is);
    if (!all) return has_values(condition);
    return std::ranges::any_of(all->conditions, [&](const Condition& inner) { return gives_ids(inner); });
  }

  // True if indexes find the contacts, or few more.
  bool is_indexed(const Condition& condition) const {
    const auto is = [&](const Condition& inner) { return is_indexed(inner); };
    return std::visit(Overloaded{[&](const All& all) { return std::ranges::any_of(all.conditions, is); },
                                 [&](const Any& any) { return std::ranges::all_of(any.conditions, is); },
                                 [](const Not&) { return false; }, [](const Present&) { return false; },
                                 [&](const Number&) { return has_values(condition); },
                                 [&](const Date&) { return has_values(condition); },
                                 [&](const Text& text) { return text.op == TextOperator::is || has_values(condition); },
                                 [](const auto&) { return true; }},
                      condition.is);
  }

  // True if the contact's row says it all.
  bool is_of_row(const Condition& condition) const {
    const auto is = [&](const Condition& inner) { return is_of_row(inner); };
    return std::visit(
        Overloaded{[&](const All& all) { return std::ranges::all_of(all.conditions, is); },
                   [&](const Any& any) { return std::ranges::all_of(any.conditions, is); },
                   [&](const Not& negated) { return is(negated.condition.front()); }, [](const Tags&) { return false; },
                   [](const Lists&) { return false; }, [](const LastDay&) { return false; },
                   [](const Recipients&) { return false; }, [&](const auto&) { return !has_values(condition); }},
        condition.is);
  }

  bool has_values(const Condition& condition) const { return index_of(condition) != nullptr; }

  const model::Uuid* index_of(const Condition& condition) const {
    const auto name = index_for(condition);
    const auto found = name ? scope_.indexes.find(*name) : scope_.indexes.end();
    return found == scope_.indexes.end() ? nullptr : &found->second;
  }

  std::string joined(const std::vector<Condition>& conditions, const char* between, const std::string& row,
                     Method method) {
    std::string out = "(";
    for (const auto& condition : conditions)
      out.append(&condition == &conditions.front() ? "" : between).append((this->*method)(condition, row));
    return out + ")";
  }

  // A statement of the ids of the contacts that fulfil the condition.
  std::string ids(const Condition& condition) {
    if (const auto* tags = std::get_if<Tags>(&condition.is))
      return "SELECT m.contact_id FROM contact_tag m WHERE m.organization_id = $1 AND m.tag_id = " +
             one_of(tags->tagIds);
    if (const auto* lists = std::get_if<Lists>(&condition.is))
      return "SELECT m.contact_id FROM membership m WHERE m.organization_id = $1 AND m.list_id = " +
             one_of(lists->listIds);
    if (const auto* last = std::get_if<LastDay>(&condition.is))
      return "SELECT m.contact_id FROM contact_activity m WHERE m.organization_id = $1" + within(*last);
    if (const auto* recipients = std::get_if<Recipients>(&condition.is))
      return "SELECT m.contact_id FROM campaign_recipient m WHERE m.organization_id = $1" + who_did(*recipients);
    if (const auto* index = index_of(condition))
      return "SELECT m.contact_id FROM attribute_value m WHERE m.organization_id = $1" + of_index(*index, condition);
    const auto row = "s" + std::to_string(++rows_);
    return "SELECT " + row + ".id FROM contact " + row + " WHERE (" + row + ".organization_id = $1)" +
           (is_large(condition) ? " IS TRUE" : "") + " AND " + all(condition, row);
  }

  std::string text(const Text& text, const std::string& row) {
    if (text.op == TextOperator::is) {
      std::vector<std::string> documents;
      for (const auto& value : text.values)
        for (auto& document : contacts::attribute_documents({{text.attribute, value}}))
          documents.push_back(std::move(document));
      return contains_one(row, documents);
    }
    const auto name = value(text.attribute);
    return "CASE WHEN jsonb_typeof(" + row + ".attributes -> " + name +
           ") IN ('string', 'number', 'boolean') THEN lower(left(" + row + ".attributes ->> " + name + ", " +
           std::to_string(kMaxSearched) + "))" + is_like(text) + " ELSE false END";
  }

  std::string is_like(const Text& text) {
    std::string patterns;
    for (const auto& each : text.values)
      patterns.append(patterns.empty() ? "lower(" : ", lower(").append(value(pattern_of(each, text.op))).append(")");
    return " LIKE ANY (ARRAY[" + patterns + "])";
  }

  // As paths: what cannot be read so is an error there, which is silent.
  std::string text(const Number& number, const std::string& row) {
    std::string bounds;
    const auto add = [&](const std::optional<double>& bound, const char* comparison) {
      if (bound) bounds.append(bounds.empty() ? "" : " && ").append(comparison).append(text_of(*bound));
    };
    add(number.atLeast, "@ >= ");
    add(number.moreThan, "@ > ");
    add(number.atMost, "@ <= ");
    add(number.lessThan, "@ < ");
    return exists(row, number.attribute, ".double() ? (" + bounds + ")");
  }

  // Texts of days are in the order of days, and `~` is behind whatever may follow one. The form is looked at last: it
  // takes longest.
  std::string text(const Date& date, const std::string& row) {
    const auto from = day(date.from, date.fromDays), to = day(date.to, date.toDays);
    std::string bounds;
    if (from) bounds.append("@ >= \"").append(*from).append("\" && ");
    if (to) bounds.append("@ < \"").append(*to).append("~\" && ");
    const std::string form = R"x(@ like_regex "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])($|[T ])")x";
    return exists(row, date.attribute, " ? (" + bounds + form + ")");
  }

  std::string exists(const std::string& row, const std::string& attribute, const std::string& rest) {
    std::string path = "strict $.";
    model::write(path, attribute);
    return "coalesce(jsonb_path_exists(" + row + ".attributes, " + value(path + rest) +
           "::jsonpath, '{}', true), false)";
  }

  std::string text(const YesNo& yes_no, const std::string& row) {
    std::vector<std::string> documents;
    for (const auto& spelling : spellings(yes_no.is))
      for (auto& document : contacts::attribute_documents({{yes_no.attribute, spelling}}))
        documents.push_back(std::move(document));
    return contains_one(row, documents);
  }

  std::string text(const Present& present, const std::string& row) {
    return "coalesce(" + row + ".attributes ->> " + value(present.attribute) + ", '') <> ''";
  }

  std::string text(const Statuses& statuses, const std::string& row) {
    std::string all;
    for (const auto status : statuses.statuses)
      all.append(all.empty() ? "" : ", ").append(value(std::string(model::name_of(status))));
    return row + ".status = ANY (ARRAY[" + all + "])";
  }

  std::string text(const Tags& tags, const std::string& row) {
    return "EXISTS (SELECT FROM contact_tag m WHERE m.organization_id = $1 AND m.contact_id = " + row +
           ".id AND m.tag_id = " + one_of(tags.tagIds) + end_of_exists();
  }

  std::string text(const Lists& lists, const std::string& row) {
    return "EXISTS (SELECT FROM membership m WHERE m.organization_id = $1 AND m.contact_id = " + row +
           ".id AND m.list_id = " + one_of(lists.listIds) + end_of_exists();
  }

  std::string text(const LastDay& last, const std::string& row) {
    return "EXISTS (SELECT FROM contact_activity m WHERE m.organization_id = $1 AND m.contact_id = " + row + ".id" +
           within(last) + end_of_exists();
  }

  std::string text(const Recipients& recipients, const std::string& row) {
    return "EXISTS (SELECT FROM campaign_recipient m WHERE m.organization_id = $1 AND m.contact_id = " + row + ".id" +
           who_did(recipients) + end_of_exists();
  }

  std::string is_in(const model::Uuid& index, const Condition& condition, const std::string& row) {
    return "EXISTS (SELECT FROM attribute_value m WHERE m.organization_id = $1 AND m.contact_id = " + row + ".id" +
           of_index(index, condition) + ")";
  }

  // The same as on the row: attribute_reading reads as it does.
  std::string of_index(const model::Uuid& index, const Condition& condition) {
    auto out = " AND m.attribute_id = " + value(index.text()) + "::uuid";
    const auto add = [&](const char* comparison, std::string bound) {
      out.append(" AND m.number ").append(comparison).append(value(std::move(bound))).append("::numeric");
    };
    if (const auto* number = std::get_if<Number>(&condition.is)) {
      if (number->atLeast) add(">= ", text_of(*number->atLeast));
      if (number->moreThan) add("> ", text_of(*number->moreThan));
      if (number->atMost) add("<= ", text_of(*number->atMost));
      if (number->lessThan) add("< ", text_of(*number->lessThan));
    } else if (const auto* date = std::get_if<Date>(&condition.is)) {
      if (const auto from = day(date->from, date->fromDays)) add(">= ", digits_of(*from));
      if (const auto to = day(date->to, date->toDays)) add("<= ", digits_of(*to));
    } else {
      out += " AND m.words" + is_like(std::get<Text>(condition.is));
    }
    return out;
  }

  static std::string digits_of(std::string day) {
    std::erase(day, '-');
    return day;
  }

  // The first bound is that of the index.
  std::string within(const LastDay& last) {
    const std::string column = last.is_of_campaign ? " AND m.campaign_on" : " AND m.inbound_on";
    auto out = column + " > '-infinity'";
    if (const auto from = day(last.from, last.fromDays)) out += column + " >= " + value(*from) + "::date";
    if (const auto to = day(last.to, last.toDays)) out += column + " <= " + value(*to) + "::date";
    return out;
  }

  std::string who_did(const Recipients& recipients) {
    auto out = " AND m.campaign_id = " + one_of(recipients.campaignIds);
    if (recipients.did == Did::read) out += " AND m.read";
    if (recipients.did == Did::clicked) out += " AND m.clicked";
    if (recipients.did == Did::replied) out += " AND m.replied";
    return out;
  }

  std::optional<std::string> day(const std::optional<std::string>& date,
                                 const std::optional<std::int64_t>& days) const {
    return days ? text_of(scope_.today + std::chrono::days(*days)) : date;
  }

  const char* end_of_exists() const { return one_by_one_ ? " OFFSET 0)" : ")"; }

  std::string contains_one(const std::string& row, const std::vector<std::string>& documents) {
    std::string all;
    for (const auto& document : documents)
      all.append(all.empty() ? "" : ", ").append(value(document)).append("::jsonb");
    return row + ".attributes @> ANY (ARRAY[" + all + "])";
  }

  std::string one_of(const std::vector<model::Uuid>& ids) {
    std::string all;
    for (const auto& id : ids) all.append(all.empty() ? "" : ", ").append(value(id.text()));
    return "ANY (ARRAY[" + all + "]::uuid[])";
  }

  // The value's place in the parameter.
  std::string value(std::string text) {
    const auto [known, is_new] = places_.try_emplace(std::move(text), values_.size() + 1);
    if (is_new) values_.push_back(known->first);
    return "(" + std::string(kParameter) + ")[" + std::to_string(known->second) + "]";
  }

  const Scope& scope_;
  std::vector<std::string>& values_;
  std::unordered_map<std::string, std::size_t> places_;  // of values_
  int rows_ = 0;
  bool one_by_one_ = false;
};

std::string with_parameter(const std::string& text, std::string_view parameter) {
  std::string out;
  std::size_t at = 0;
  for (auto found = text.find(kParameter); found != text.npos; found = text.find(kParameter, at)) {
    out.append(text, at, found - at).append(parameter);
    at = found + kParameter.size();
  }
  return out.append(text, at);
}

}  // namespace

std::chrono::sys_days today() { return std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now()); }

Predicate::Predicate(const Condition& filter, const Scope& scope)
    : is_large_(scope.is_large && has_attributes(filter)), activity_(has_activity(filter) ? scope.activity : 0) {
  Compiler compiler(scope, values_);
  step_ = compiler.step(filter, "c");
  each_ = compiler.each(filter, "c");
  all_ = compiler.all(filter, "c");
  is_large_all_ = compiler.is_large(filter);
}

std::shared_ptr<const pg::Statement> Predicate::in(const pg::Statement& statement) const {
  constexpr std::string_view kMark = "/*segment ", kEnd = "*/";
  const std::string_view sql = statement.sql;
  std::string out;
  std::size_t at = 0;
  for (auto mark = sql.find(kMark); mark != sql.npos; mark = sql.find(kMark, at)) {
    out += sql.substr(at, mark - at);
    const auto begin = mark + kMark.size();
    const auto space = sql.find(' ', begin), end = sql.find(kEnd, begin);
    if (space > end || end == sql.npos) throw std::logic_error(statement.name + ": a mark of a segment is malformed");
    const auto kind = sql.substr(begin, space - begin), parameter = sql.substr(space + 1, end - space - 1);
    if (kind == "large" || kind == "large_all")
      out += (kind == "large" ? is_large_ : is_large_all_) ? " IS TRUE" : "";
    else
      out.append(" AND ").append(with_parameter(kind == "all" ? all_ : kind == "each" ? each_ : step_, parameter));
    at = end + kEnd.size();
  }
  if (at == 0) throw std::logic_error(statement.name + ": it has no mark of a segment");
  out += sql.substr(at);
  return std::make_shared<const pg::Statement>(statement, std::move(out));
}

std::string Predicate::spelling() const {
  auto values = values_;
  values.push_back(each_);
  values.push_back(std::to_string(activity_));
  return model::to_json(values);
}

}  // namespace parley::contacts::segments

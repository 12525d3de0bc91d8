#include "tests/support/compatibility.hpp"

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <set>
#include <string_view>

namespace parley::support {

namespace json = boost::json;

namespace {

using Places = std::set<std::pair<const json::value*, const json::value*>>;

class Comparison {
 public:
  Comparison(const json::value& before, const json::value& after) : before_(before), after_(after) {}

  std::vector<std::string> run() {
    for (const auto& path : before_.at("paths").as_object())
      for (const auto& member : path.value().as_object()) {
        if (!member.value().is_object()) continue;  // parameters of the path
        const std::string method(member.key()), at = method + " " + std::string(path.key());
        const auto* item = after_.at("paths").as_object().if_contains(path.key());
        const auto* operation = item ? item->as_object().if_contains(member.key()) : nullptr;
        if (!operation)
          fault(at, "is gone");
        else
          compare_operation(path.value(), member.value(), *item, *operation, at);
      }
    return std::move(faults_);
  }

 private:
  enum class Direction { sent, answered };

  void fault(const std::string& at, const std::string& what) { faults_.push_back(at + ": " + what); }

  static const json::value& resolve(const json::value& document, const json::value& value) {
    const auto* target = &value;
    while (const auto* reference = member(*target, "$ref"))
      target = &document.at_pointer(std::string(reference->as_string()).substr(1));
    return *target;
  }
  const json::value& old(const json::value& value) const { return resolve(before_, value); }
  const json::value& now(const json::value& value) const { return resolve(after_, value); }

  static const json::value* member(const json::value& value, std::string_view name) {
    const auto* object = value.if_object();
    return object ? object->if_contains(name) : nullptr;
  }

  // ---- operations ----

  void compare_operation(const json::value& old_item, const json::value& old_operation, const json::value& new_item,
                         const json::value& new_operation, const std::string& at) {
    if (const auto* id = member(old_operation, "operationId"); id && *id != new_operation.at("operationId"))
      fault(at, "is called " + json::serialize(new_operation.at("operationId")));
    const auto old_parameters = parameters(before_, {&old_item, &old_operation});
    const auto new_parameters = parameters(after_, {&new_item, &new_operation});
    for (const auto* each : old_parameters) compare_parameter(*each, new_parameters, at);
    for (const auto* each : new_parameters)
      if (is_required(*each) && !find_parameter(old_parameters, *each))
        fault(at, "needs the parameter " + std::string(each->at("name").as_string()));
    compare_body(member(old_operation, "requestBody"), member(new_operation, "requestBody"), at);
    for (const auto& response : old_operation.at("responses").as_object()) {
      const auto* found = new_operation.at("responses").as_object().if_contains(response.key());
      const auto there = at + " " + std::string(response.key());
      if (!found) {
        fault(there, "is gone");
      } else {
        compare_headers(old(response.value()), now(*found), there);
        compare_content(member(old(response.value()), "content"), member(now(*found), "content"), Direction::answered,
                        there);
      }
    }
  }

  static bool is_required(const json::value& parameter) {
    const auto* required = member(parameter, "required");
    return required && required->as_bool();
  }

  using Parameters = std::vector<const json::value*>;
  static Parameters parameters(const json::value& document, std::initializer_list<const json::value*> owners) {
    Parameters out;
    for (const auto* owner : owners)
      if (const auto* list = member(*owner, "parameters"))
        for (const auto& each : list->as_array()) out.push_back(&resolve(document, each));
    return out;
  }

  static const json::value* find_parameter(const Parameters& all, const json::value& like) {
    const auto is_it = [&](const json::value* each) {
      return each->at("name") == like.at("name") && each->at("in") == like.at("in");
    };
    const auto found = std::find_if(all.begin(), all.end(), is_it);
    return found == all.end() ? nullptr : *found;
  }

  void compare_parameter(const json::value& before, const Parameters& after, const std::string& at) {
    const auto there = at + " " + std::string(before.at("name").as_string());
    const auto* found = find_parameter(after, before);
    if (!found) return fault(there, "is gone");
    if (is_required(*found) && !is_required(before)) fault(there, "is required");
    compare_schema(before.at("schema"), found->at("schema"), Direction::sent, there);
  }

  void compare_body(const json::value* before, const json::value* after, const std::string& at) {
    if (!before && after && is_required(now(*after))) fault(at, "needs a body");
    if (before && !after) fault(at, "takes no body");
    if (!before || !after) return;
    if (is_required(now(*after)) && !is_required(old(*before))) fault(at, "needs a body");
    compare_content(member(old(*before), "content"), member(now(*after), "content"), Direction::sent, at);
  }

  void compare_headers(const json::value& before, const json::value& after, const std::string& at) {
    const auto* headers = member(before, "headers");
    const auto* others = member(after, "headers");
    for (const auto& header : headers ? headers->as_object() : json::object{})
      if (!others || !others->as_object().contains(header.key()))
        fault(at, "lacks the header " + std::string(header.key()));
  }

  void compare_content(const json::value* before, const json::value* after, Direction direction,
                       const std::string& at) {
    if (!before) return;
    for (const auto& media : before->as_object()) {
      const auto* found = after ? after->as_object().if_contains(media.key()) : nullptr;
      const auto there = at + " " + std::string(media.key());
      if (!found)
        fault(there, "is gone");
      else
        compare_schema(media.value().at("schema"), found->at("schema"), direction, there);
    }
  }

  // ---- schemas ----

  void compare_schema(const json::value& before_or_reference, const json::value& after_or_reference,
                      Direction direction, const std::string& at) {
    const auto& before = old(before_or_reference);
    const auto& after = now(after_or_reference);
    if (!seen_[direction == Direction::sent].insert({&before, &after}).second) return;
    compare_types(before, after, direction, at);
    compare_values(before, after, direction, at);
    if (direction == Direction::sent)
      for (const auto* keyword : {"minimum", "minLength", "minItems", "maximum", "maxLength", "maxItems"})
        compare_bound(before, after, keyword, at);
    for (const auto* keyword : {"pattern", "format"}) {
      const auto *one = member(before, keyword), *other = member(after, keyword);
      if (direction == Direction::sent && other && (!one || *one != *other))
        fault(at, std::string("has another ") + keyword);
      if (direction == Direction::answered && one && std::string_view(keyword) == "format" &&
          (!other || *one != *other))
        fault(at, "has another format");
    }
    compare_members(before, after, direction, at);
    if (const auto* items = member(before, "items"))
      if (const auto* others = member(after, "items")) compare_schema(*items, *others, direction, at + "/0");
    for (const auto* keyword : {"oneOf", "anyOf", "allOf"}) compare_alternatives(before, after, keyword, direction, at);
  }

  // The types of a schema; empty if it names none, which means any.
  static std::set<std::string> types_of(const json::value& schema) {
    std::set<std::string> out;
    const auto* type = member(schema, "type");
    if (type && type->is_string()) out.insert(std::string(type->get_string()));
    if (type && type->is_array())
      for (const auto& each : type->get_array()) out.insert(std::string(each.as_string()));
    return out;
  }

  void compare_types(const json::value& before, const json::value& after, Direction direction, const std::string& at) {
    const auto one = types_of(before), other = types_of(after);
    const auto& wide = direction == Direction::sent ? other : one;
    const auto& narrow = direction == Direction::sent ? one : other;
    const bool fits = wide.empty() || (!narrow.empty() && std::ranges::includes(wide, narrow));
    if (!fits) fault(at, "has other types");
  }

  // Answers' enumerations may gain values, bodies' must not lose any.
  void compare_values(const json::value& before, const json::value& after, Direction direction, const std::string& at) {
    const auto *one = member(before, "enum"), *other = member(after, "enum");
    if (direction == Direction::answered || !other) return;
    if (!one) return fault(at, "takes a few values only");
    for (const auto& value : one->as_array())
      if (std::ranges::find(other->as_array(), value) == other->as_array().end())
        fault(at, "does not take " + json::serialize(value));
  }

  // A bound of what is sent may be lifted or widened.
  void compare_bound(const json::value& before, const json::value& after, const char* keyword, const std::string& at) {
    const auto *one = member(before, keyword), *other = member(after, keyword);
    if (!other) return;
    const auto old_bound = one ? one->to_number<double>() : 0, new_bound = other->to_number<double>();
    const bool is_minimum = std::string_view(keyword).starts_with("min");
    if (!one || (is_minimum ? new_bound > old_bound : new_bound < old_bound))
      fault(at, std::string("has a narrower ") + keyword);
  }

  void compare_members(const json::value& before, const json::value& after, Direction direction,
                       const std::string& at) {
    const auto *one = member(before, "properties"), *other = member(after, "properties");
    for (const auto& property : one ? one->as_object() : json::object{}) {
      const auto* found = other ? other->as_object().if_contains(property.key()) : nullptr;
      const auto there = at + "/" + std::string(property.key());
      if (!found)
        fault(there, "is gone");
      else
        compare_schema(property.value(), *found, direction, there);
    }
    const auto& needs = direction == Direction::sent ? after : before;
    const auto& has = direction == Direction::sent ? before : after;
    const auto* required = member(needs, "required");
    const auto* also = member(has, "required");
    for (const auto& name : required ? required->as_array() : json::array{})
      if (!also || std::ranges::find(also->as_array(), name) == also->as_array().end())
        fault(at, std::string(direction == Direction::sent ? "needs " : "may lack ") + std::string(name.as_string()));
  }

  // Alternatives are known by their discriminator's names, else by their order.
  void compare_alternatives(const json::value& before, const json::value& after, const char* keyword,
                            Direction direction, const std::string& at) {
    const auto *one = member(before, keyword), *other = member(after, keyword);
    if (!one) return;
    if (!other) return fault(at, std::string("has no ") + keyword);
    const auto *names = member(before, "discriminator"), *others = member(after, "discriminator");
    if (names && others) {
      for (const auto& name : names->at("mapping").as_object()) {
        const auto* found = others->at("mapping").as_object().if_contains(name.key());
        const auto there = at + "(" + std::string(name.key()) + ")";
        if (!found)
          fault(there, "is gone");
        else
          compare_schema(json::object{{"$ref", name.value()}}, json::object{{"$ref", *found}}, direction, there);
      }
      return;
    }
    for (std::size_t i = 0; i < one->as_array().size(); ++i)
      if (i >= other->as_array().size())
        fault(at, "has fewer alternatives");
      else
        compare_schema(one->as_array()[i], other->as_array()[i], direction, at + "(" + std::to_string(i) + ")");
  }

  const json::value& before_;
  const json::value& after_;
  Places seen_[2];
  std::vector<std::string> faults_;
};

}  // namespace

std::vector<std::string> breaking_changes(const json::value& before, const json::value& after) {
  return Comparison(before, after).run();
}

}  // namespace parley::support

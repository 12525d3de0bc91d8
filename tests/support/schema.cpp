#include "tests/support/schema.hpp"

#include <algorithm>
#include <array>
#include <boost/json/serialize.hpp>
#include <set>

namespace parley::support {

namespace json = boost::json;

namespace {

constexpr int kDeepest = 100;
// std::regex recurses for each character.
constexpr std::size_t kMaxMatchedLength = 4096;

std::string_view view(const json::string& text) { return {text.data(), text.size()}; }
std::string_view view(json::string_view text) { return {text.data(), text.size()}; }

std::string shown(const json::value& value) {
  std::string text = json::serialize(value);
  if (text.size() > 80) text = text.substr(0, 77) + "...";
  return text;
}

std::size_t count_characters(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

// The API writes integers without a fraction, so 1.0 is not one, unlike in JSON Schema.
bool has_type(const json::value& value, std::string_view type) {
  if (type == "null") return value.is_null();
  if (type == "boolean") return value.is_bool();
  if (type == "integer") return value.is_int64() || value.is_uint64();
  if (type == "number") return is_number(value);
  if (type == "string") return value.is_string();
  if (type == "array") return value.is_array();
  return type == "object" && value.is_object();
}

bool is_type_name(const json::value& name) {
  static constexpr std::array names{"null", "boolean", "integer", "number", "string", "array", "object"};
  return name.is_string() && std::find(names.begin(), names.end(), view(name.get_string())) != names.end();
}

const std::set<std::string_view>& annotations() {
  static const std::set<std::string_view> names{"title",    "description", "default",         "example",
                                                "examples", "deprecated",  "contentMediaType"};
  return names;
}

}  // namespace

std::string pointer_step(std::string_view key) {
  std::string out = "/";
  for (const char c : key) {
    if (c == '~')
      out += "~0";
    else if (c == '/')
      out += "~1";
    else
      out += c;
  }
  return out;
}

// ---- validation of a value ------------------------------------------------------------------------------------------

class Validation {
 public:
  Validation(const Schemas& schemas, Direction direction, Faults& faults)
      : schemas_(schemas), direction_(direction), faults_(faults) {}

  void run(const json::value& schema, const json::value& value, const std::string& at, int depth = 0) {
    if (schema.is_bool()) {
      if (!schema.get_bool()) fault(at, "is not allowed");
    } else if (!schema.is_object()) {
      fault(at, "the document's schema is neither object nor boolean");
    } else if (depth > kDeepest) {
      fault(at, "the document's schema is nested too deep");
    } else {
      for (const auto& keyword : schema.get_object())
        check({schema.get_object(), view(keyword.key()), keyword.value(), value, at, depth});
      if (direction_ == Direction::answer && schema.get_object().contains("properties"))
        undeclared(schema.get_object(), value, at);
    }
  }

  static bool knows(std::string_view keyword) {
    static const std::set<std::string_view> also{"then", "else", "discriminator"};
    return checks().contains(keyword) || also.contains(keyword) || annotations().contains(keyword) ||
           keyword.starts_with("x-");
  }

 private:
  struct Case {
    const json::object& schema;
    std::string_view keyword;
    const json::value& argument;
    const json::value& value;
    const std::string& at;
    int depth;
  };
  using Check = void (Validation::*)(const Case&);

  static const std::map<std::string_view, Check>& checks() {
    static const std::map<std::string_view, Check> all{
        {"$ref", &Validation::reference},
        {"type", &Validation::type},
        {"properties", &Validation::properties},
        {"required", &Validation::required},
        {"additionalProperties", &Validation::additional_properties},
        {"items", &Validation::items},
        {"uniqueItems", &Validation::unique_items},
        {"enum", &Validation::enumeration},
        {"const", &Validation::constant},
        {"oneOf", &Validation::one_of},
        {"anyOf", &Validation::any_of},
        {"allOf", &Validation::all_of},
        {"if", &Validation::condition},
        {"pattern", &Validation::pattern},
        {"format", &Validation::format},
        {"minimum", &Validation::bounds},
        {"maximum", &Validation::bounds},
        {"minLength", &Validation::bounds},
        {"maxLength", &Validation::bounds},
        {"minItems", &Validation::bounds},
        {"maxItems", &Validation::bounds},
    };
    return all;
  }

  void check(const Case& c) {
    if (const auto found = checks().find(c.keyword); found != checks().end())
      (this->*found->second)(c);
    else if (!knows(c.keyword))
      fault(c.at, "is not checked: the document's keyword " + std::string(c.keyword) + " is unknown");
  }

  void fault(const std::string& at, const std::string& what) {
    faults_.push_back((at.empty() ? "/" : at) + " " + what);
  }

  Faults faults_of(const Case& c, const json::value& schema) const {
    Faults faults;
    Validation(schemas_, direction_, faults).run(schema, c.value, c.at, c.depth + 1);
    return faults;
  }

  void reference(const Case& c) {
    if (const auto* target = schemas_.resolve(json::object{{"$ref", c.argument}}))
      run(*target, c.value, c.at, c.depth + 1);
    else
      fault(c.at, "the document's reference leads nowhere: " + shown(c.argument));
  }

  void type(const Case& c) {
    const auto fits = [&](const json::value& name) { return has_type(c.value, view(name.as_string())); };
    const bool good = c.argument.is_array()
                          ? std::any_of(c.argument.get_array().begin(), c.argument.get_array().end(), fits)
                          : fits(c.argument);
    if (!good) fault(c.at, "is not of type " + shown(c.argument) + ": " + shown(c.value));
  }

  // In answers, also checks that keys have the order of the schema.
  void properties(const Case& c) {
    if (!c.value.is_object()) return;
    const auto& declared = c.argument.as_object();
    const json::key_value_pair* last = nullptr;
    for (const auto& member : c.value.get_object()) {
      const auto* property = declared.find(member.key());
      if (property == declared.end()) continue;
      run(property->value(), member.value(), c.at + pointer_step(view(member.key())), c.depth + 1);
      if (direction_ == Direction::answer && last && property < last)
        fault(c.at, "has " + std::string(view(property->key())) + " after " + std::string(view(last->key())));
      last = property;
    }
  }

  void required(const Case& c) {
    if (!c.value.is_object()) return;
    for (const auto& name : c.argument.as_array())
      if (!c.value.get_object().contains(name.as_string()))
        fault(c.at, "lacks " + std::string(view(name.get_string())));
  }

  void undeclared(const json::object& schema, const json::value& value, const std::string& at) {
    if (!value.is_object() || schema.contains("additionalProperties")) return;
    for (const auto& member : value.get_object())
      if (!schema.at("properties").as_object().contains(member.key()))
        fault(at + pointer_step(view(member.key())), "is not declared");
  }

  void additional_properties(const Case& c) {
    if (!c.value.is_object()) return;
    const auto* declared = c.schema.if_contains("properties");
    for (const auto& member : c.value.get_object())
      if (!declared || !declared->as_object().contains(member.key()))
        run(c.argument, member.value(), c.at + pointer_step(view(member.key())), c.depth + 1);
  }

  void items(const Case& c) {
    if (!c.value.is_array()) return;
    std::size_t i = 0;
    for (const auto& element : c.value.get_array())
      run(c.argument, element, c.at + "/" + std::to_string(i++), c.depth + 1);
  }

  void unique_items(const Case& c) {
    if (!c.argument.as_bool() || !c.value.is_array()) return;
    std::set<std::string> seen;
    for (const auto& element : c.value.get_array())
      if (!seen.insert(json::serialize(element)).second) fault(c.at, "has twice " + shown(element));
  }

  void enumeration(const Case& c) {
    const auto& values = c.argument.as_array();
    if (std::find(values.begin(), values.end(), c.value) == values.end())
      fault(c.at, "is none of the known values: " + shown(c.value));
  }

  void constant(const Case& c) {
    if (c.value != c.argument) fault(c.at, "is not " + shown(c.argument) + ": " + shown(c.value));
  }

  // The number of alternatives that the value satisfies, and the faults of the others.
  std::pair<int, std::string> alternatives(const Case& c) const {
    int satisfied = 0;
    std::string why;
    for (const auto& schema : c.argument.as_array()) {
      const Faults faults = faults_of(c, schema);
      if (faults.empty()) ++satisfied;
      for (const auto& one : faults) why += (why.empty() ? "" : "; ") + one;
    }
    return {satisfied, why};
  }

  // The alternative that a discriminator (OpenAPI 3.1, 4.8.25) chooses for a value, nullptr if there is none.
  const json::value* chosen(const Case& c) const {
    const auto* discriminator = c.schema.if_contains("discriminator");
    if (!discriminator || !c.value.is_object()) return nullptr;
    const auto* name = c.value.get_object().if_contains(discriminator->at("propertyName").as_string());
    const auto* target =
        name && name->is_string() ? discriminator->at("mapping").as_object().if_contains(name->get_string()) : nullptr;
    return target ? schemas_.resolve(json::object{{"$ref", *target}}) : nullptr;
  }

  void one_of(const Case& c) {
    if (const auto* schema = chosen(c)) return run(*schema, c.value, c.at, c.depth + 1);
    const auto [satisfied, why] = alternatives(c);
    if (satisfied == 0) fault(c.at, "is none of the alternatives (" + why + ")");
    if (satisfied > 1) fault(c.at, "is " + std::to_string(satisfied) + " of the alternatives at once");
  }

  void any_of(const Case& c) {
    const auto [satisfied, why] = alternatives(c);
    if (satisfied == 0) fault(c.at, "is none of the alternatives (" + why + ")");
  }

  void all_of(const Case& c) {
    for (const auto& schema : c.argument.as_array()) run(schema, c.value, c.at, c.depth + 1);
  }

  void condition(const Case& c) {
    const auto* branch = c.schema.if_contains(faults_of(c, c.argument).empty() ? "then" : "else");
    if (branch) run(*branch, c.value, c.at, c.depth + 1);
  }

  void pattern(const Case& c) {
    if (!c.value.is_string()) return;
    const auto text = view(c.value.get_string());
    if (text.size() > kMaxMatchedLength)
      fault(c.at, "is too long for its pattern to be tried");
    else if (!std::regex_search(text.begin(), text.end(),
                                schemas_.expression(std::string(view(c.argument.as_string())))))
      fault(c.at, "does not match " + shown(c.argument) + ": " + shown(c.value));
  }

  void format(const Case& c) {
    const auto good = has_format(c.value, view(c.argument.as_string()), direction_);
    if (!good) fault(c.at, "is not checked: the document's format " + shown(c.argument) + " is unknown");
    if (good == false) fault(c.at, "is no " + shown(c.argument) + ": " + shown(c.value));
  }

  void bounds(const Case& c) {
    double measured = 0;
    if (c.keyword.ends_with("Length")) {
      if (!c.value.is_string()) return;
      measured = static_cast<double>(count_characters(view(c.value.get_string())));
    } else if (c.keyword.ends_with("Items")) {
      if (!c.value.is_array()) return;
      measured = static_cast<double>(c.value.get_array().size());
    } else {
      if (!is_number(c.value)) return;
      measured = c.value.to_number<double>();
    }
    const auto bound = c.argument.to_number<double>();
    if (c.keyword.starts_with("min") ? measured < bound : measured > bound)
      fault(c.at, "breaks " + std::string(c.keyword) + " " + shown(c.argument) + ": " + shown(c.value));
  }

  const Schemas& schemas_;
  Direction direction_;
  Faults& faults_;
};

void Schemas::validate(const json::value& schema, const json::value& value, Direction direction, const std::string& at,
                       Faults& faults) const {
  Validation(*this, direction, faults).run(schema, value, at);
}

const json::value* Schemas::resolve(const json::value& value) const {
  const json::value* current = &value;
  for (int hops = 0; hops < kDeepest; ++hops) {
    const auto* object = current->if_object();
    const auto* reference = object ? object->if_contains("$ref") : nullptr;
    if (!reference) return current;
    if (!reference->is_string() || !view(reference->get_string()).starts_with("#/")) return nullptr;
    boost::system::error_code error;
    current = document_.find_pointer(reference->get_string().subview(1), error);
    if (!current) return nullptr;
  }
  return nullptr;
}

// ---- inspection of a schema -----------------------------------------------------------------------------------------

class Inspection {
 public:
  Inspection(const Schemas& schemas, Direction direction, Faults& faults)
      : schemas_(schemas), direction_(direction), faults_(faults) {}

  void run(const json::value& schema, const std::string& at) {
    if (schema.is_bool()) return;
    if (!schema.is_object()) return fault(at, "is neither object nor boolean");
    const auto faults_before = faults_.size();
    for (const auto& member : schema.get_object()) {
      const std::string keyword(view(member.key()));
      const auto there = at + pointer_step(keyword);
      if (!Validation::knows(keyword))
        fault(there, "is an unknown keyword");
      else if (!is_well_formed(keyword, member.value()))
        fault(there, "is malformed: " + shown(member.value()));
      else
        inspect(schema.get_object(), keyword, member.value(), there);
    }
    if (faults_.size() == faults_before) inspect_samples(schema, at);
  }

 private:
  void fault(const std::string& at, const std::string& what) { faults_.push_back(at + " " + what); }

  static bool is_well_formed(const std::string& keyword, const json::value& argument) {
    static const std::set<std::string_view> strings{"$ref", "pattern", "format", "title", "description"};
    static const std::set<std::string_view> arrays{"required", "enum", "oneOf", "anyOf", "allOf", "examples"};
    static const std::set<std::string_view> numbers{"minimum",   "maximum",  "minLength",
                                                    "maxLength", "minItems", "maxItems"};
    if (strings.contains(keyword)) return argument.is_string();
    if (arrays.contains(keyword)) return argument.is_array() && !argument.get_array().empty();
    if (numbers.contains(keyword)) return is_number(argument);
    if (keyword == "properties") return argument.is_object();
    if (keyword == "discriminator") return is_discriminator(argument);
    if (keyword == "uniqueItems" || keyword == "deprecated") return argument.is_bool();
    if (keyword != "type") return true;
    if (!argument.is_array()) return is_type_name(argument);
    return std::all_of(argument.get_array().begin(), argument.get_array().end(), is_type_name);
  }

  void inspect(const json::object& schema, const std::string& keyword, const json::value& argument,
               const std::string& at) {
    static const std::set<std::string_view> schemas{"items", "additionalProperties", "if", "then", "else"};
    if (schemas.contains(keyword)) return run(argument, at);
    if (keyword.ends_with("Of")) {
      for (std::size_t i = 0; i < argument.get_array().size(); ++i)
        run(argument.get_array()[i], at + "/" + std::to_string(i));
    } else if (keyword == "properties") {
      for (const auto& property : argument.get_object()) run(property.value(), at + pointer_step(view(property.key())));
    } else if (keyword == "required") {
      inspect_required(schema, argument.get_array(), at);
    } else if (keyword == "pattern") {
      inspect_pattern(std::string(view(argument.get_string())), at);
    } else if (keyword == "format") {
      if (!has_format(nullptr, view(argument.get_string()), direction_)) fault(at, "is unknown: " + shown(argument));
    } else if (keyword == "discriminator") {
      inspect_discriminator(schema, argument.get_object(), at);
    } else if (keyword == "$ref") {
      if (!schemas_.resolve(json::object{{"$ref", argument}})) fault(at, "leads nowhere: " + shown(argument));
    }
  }

  void inspect_required(const json::object& schema, const json::array& names, const std::string& at) {
    const auto* properties = schema.if_contains("properties");
    for (const auto& name : names)
      if (!name.is_string() || !properties || !properties->is_object() ||
          !properties->get_object().contains(name.get_string()))
        fault(at, "names a property that is not declared: " + shown(name));
  }

  // Each alternative is named by what its property may be, and by nothing else.
  void inspect_discriminator(const json::object& schema, const json::object& discriminator, const std::string& at) {
    const auto& property = discriminator.at("propertyName").as_string();
    std::map<std::string, json::value> expected;
    const auto* alternatives = schema.if_contains("oneOf");
    for (const auto& alternative : alternatives ? alternatives->as_array() : json::array{}) {
      const auto* reference = alternative.as_object().if_contains("$ref");
      boost::system::error_code error;
      const auto* target = schemas_.resolve(alternative);
      const auto* names =
          target ? target->find_pointer("/properties/" + std::string(property) + "/enum", error) : nullptr;
      if (!reference || !names)
        return fault(at, "has an alternative that is no reference, or lists no " + shown(property));
      for (const auto& name : names->as_array()) expected[name.as_string().c_str()] = *reference;
    }
    json::object mapping;
    for (const auto& [name, target] : expected) mapping[name] = target;
    if (discriminator.at("mapping") != json::value(mapping)) fault(at, "should map " + shown(mapping));
  }

  static bool is_discriminator(const json::value& argument) {
    const auto* object = argument.if_object();
    const auto* property = object ? object->if_contains("propertyName") : nullptr;
    const auto* mapping = object ? object->if_contains("mapping") : nullptr;
    return property && property->is_string() && mapping && mapping->is_object() && object->size() == 2;
  }

  void inspect_pattern(const std::string& pattern, const std::string& at) {
    try {
      schemas_.expression(pattern);
    } catch (const std::regex_error& error) {
      fault(at, std::string("is no regular expression: ") + error.what());
    }
  }

  void inspect_samples(const json::value& schema, const std::string& at) {
    for (const auto* keyword : {"default", "example"})
      if (const auto* sample = schema.get_object().if_contains(keyword)) inspect_sample(schema, *sample, at);
    if (const auto* samples = schema.get_object().if_contains("examples"))
      for (const auto& sample : samples->get_array()) inspect_sample(schema, sample, at);
  }

  void inspect_sample(const json::value& schema, const json::value& sample, const std::string& at) {
    Faults faults;
    schemas_.validate(schema, sample, direction_, "", faults);
    for (const auto& one : faults) fault(at, "has a sample that it refuses: " + one);
  }

  const Schemas& schemas_;
  Direction direction_;
  Faults& faults_;
};

void Schemas::inspect(const json::value& schema, Direction direction, const std::string& at, Faults& faults) const {
  Inspection(*this, direction, faults).run(schema, at);
}

const std::regex& Schemas::expression(const std::string& pattern) const {
  const auto found = expressions_.find(pattern);
  return found != expressions_.end() ? found->second : expressions_.emplace(pattern, std::regex(pattern)).first->second;
}

}  // namespace parley::support

// Bodies that are nearly right, made from the document's schemas: each POST refuses each of them, says where, and does
// nothing.
#include <algorithm>
#include <boost/json/serialize.hpp>
#include <regex>
#include <set>

#include "tests/e2e/requests.hpp"

using namespace parley;
using namespace parley::e2e;
namespace json = boost::json;

namespace {

Requests& requests() {
  static Organization organization = fill(world().system, "Bodies", 8);
  static Requests the_requests(world().system, organization);
  return the_requests;
}

struct Spoiled {
  std::string what, pointer;  // the pointer that must be named; "" where the whole body is at fault
  json::value body;
};

json::object object_at(const json::value& schema) {
  const auto& target = resolved(world().system, schema);
  return target.is_object() ? target.get_object() : json::object{};
}

// The types that a schema lets pass, its alternatives' too.
std::set<std::string> types_of(const json::value& schema) {
  std::set<std::string> out;
  const auto object = object_at(schema);
  if (const auto* type = object.if_contains("type")) {
    if (type->is_string()) out.insert(type->as_string().c_str());
    if (type->is_array())
      for (const auto& each : type->get_array()) out.insert(each.as_string().c_str());
  }
  for (const auto* keyword : {"oneOf", "anyOf", "allOf"})
    if (const auto* alternatives = object.if_contains(keyword))
      for (const auto& each : alternatives->as_array())
        for (const auto& type : types_of(each)) out.insert(type);
  return out;
}

// Sets the member or element that a pointer (of keys without ~ and /) names; its parent is there.
void set_at(json::value& body, const std::string& at, const json::value& value) {
  const auto slash = at.rfind('/');
  boost::system::error_code error;
  auto* parent = slash == 0 ? &body : body.find_pointer(at.substr(0, slash), error);
  REQUIRE(parent);
  if (parent->is_array())
    parent->as_array().at(static_cast<std::size_t>(std::stoul(at.substr(slash + 1)))) = value;
  else
    parent->as_object()[at.substr(slash + 1)] = value;
}

class Spoiler {
 public:
  explicit Spoiler(json::value body) : body_(std::move(body)) {}

  void value(const json::value& schema, const std::string& at) {
    if (const auto* chosen = alternative_of(schema, at)) return value(*chosen, at);
    wrong_types(schema, at);
    const auto object = object_at(schema);
    const auto types = types_of(schema);
    if (types.contains("string")) text(object, at);
    if (types.contains("integer") || types.contains("number")) number(object, at);
    if (types.contains("array")) array(object, at);
    if (object.contains("properties")) properties(object, at);
    if (const auto* alternatives = object.if_contains("oneOf"))
      for (const auto& each : alternatives->as_array()) alternative(each, at);
  }

  std::vector<Spoiled> out;

 private:
  void put(const std::string& what, const std::string& at, const json::value& value) { put_for(what, at, at, value); }
  void put_for(const std::string& what, const std::string& at, const std::string& pointer, const json::value& value) {
    auto body = body_;
    if (at.empty())
      body = value;
    else
      set_at(body, at, value);
    out.push_back({what, pointer, std::move(body)});
  }

  const json::value* example(const std::string& at) const {
    boost::system::error_code error;
    return at.empty() ? &body_ : body_.find_pointer(at, error);
  }

  // Of alternatives with a discriminator, the one that the example is of.
  const json::value* alternative_of(const json::value& schema, const std::string& at) const {
    const auto& target = resolved(world().system, schema);
    const auto* discriminator = target.is_object() ? target.get_object().if_contains("discriminator") : nullptr;
    const auto* given = example(at);
    if (!discriminator || !given || !given->is_object()) return nullptr;
    const auto& name = given->at(discriminator->at("propertyName").as_string()).as_string();
    const std::string reference(discriminator->at("mapping").at(name).as_string());
    return &contract_of(world().system).document().at_pointer(reference.substr(1));
  }

  void wrong_types(const json::value& schema, const std::string& at) {
    const auto types = types_of(schema);
    if (types.empty()) return;
    const std::vector<std::pair<std::string, json::value>> values{
        {"string", "text"}, {"integer", 12}, {"boolean", true}, {"array", json::array{}}, {"object", json::object{}}};
    for (const auto& [type, value] : values) {
      if (types.contains(type) || (type == "integer" && types.contains("number"))) continue;
      put("a " + type, at, value);
    }
    if (!types.contains("null")) put("null", at, nullptr);
  }

  void text(const json::object& schema, const std::string& at) {
    if (schema.contains("enum")) put("an unknown value", at, "Bogus");
    if (schema.contains("format")) put("no " + std::string(schema.at("format").as_string().c_str()), at, "bogus");
    if (const auto* most = schema.if_contains("maxLength"))
      put("too long", at, json::string(static_cast<std::size_t>(most->to_number<int>()) + 1, 'x'));
    if (const auto* least = schema.if_contains("minLength"); least && least->to_number<int>() > 0) put("empty", at, "");
    if (const auto* pattern = schema.if_contains("pattern")) {
      const std::regex expression(pattern->as_string().c_str());
      for (const std::string candidate : {"  ", "bogus !", "+0"})
        if (!std::regex_search(candidate, expression)) put("against its pattern", at, json::string(candidate));
    }
  }

  void number(const json::object& schema, const std::string& at) {
    if (const auto* most = schema.if_contains("maximum")) put("too large", at, most->to_number<std::int64_t>() + 1);
    if (const auto* least = schema.if_contains("minimum")) put("too small", at, least->to_number<std::int64_t>() - 1);
    if (!types_of(schema).contains("number")) put("a fraction", at, 1.5);
  }

  void array(const json::object& schema, const std::string& at) {
    const auto* items = schema.if_contains("items");
    if (!items) return;
    json::value element = "x";
    bool is_good = types_of(*items).contains("string");
    if (const auto* given = example(at); given && given->is_array() && !given->get_array().empty()) {
      element = given->get_array()[0];
      is_good = true;
    }
    if (const auto* most = schema.if_contains("maxItems"); most && is_good) {
      json::array many(static_cast<std::size_t>(most->to_number<int>()) + 1, element);
      if (json::serialize(many).size() < 900'000) put("too many", at, many);
    }
    // Elements are looked at one by one: the first of an array of its own.
    Spoiler inner(json::array{element});
    inner.value(*items, "/0");
    for (auto& spoiled : inner.out) put_for(spoiled.what, at, at + spoiled.pointer, spoiled.body);
  }

  void properties(const json::object& schema, const std::string& at) {
    const auto* given = example(at);
    if (!given || !given->is_object()) return;
    if (const auto* required = schema.if_contains("required"))
      for (const auto& name : required->as_array()) {
        auto without = given->get_object();
        without.erase(name.as_string());
        const auto pointer = at + support::pointer_step(name.as_string().c_str());
        put_for("nothing", at, pointer, without);
      }
    for (const auto& property : schema.at("properties").as_object())
      value(property.value(), at + support::pointer_step(std::string_view(property.key())));
  }

  // An alternative that the example is not of is tried with the example as the one element of the array that it needs:
  // one contact is several of one.
  void alternative(const json::value& schema, const std::string& at) {
    const auto* given = example(at);
    const auto object = object_at(schema);
    if (!given || !given->is_object() || !object.contains("properties")) return;
    const auto lacking = lacks(object, *given);
    if (lacking.empty()) return properties(object, at);
    Spoiler inner(json::object{{lacking, json::array{*given}}});
    inner.properties(object, "");
    for (auto& spoiled : inner.out)  // without the member it is of the other alternative
      if (spoiled.what != "nothing" || spoiled.pointer != "/" + lacking)
        put_for(spoiled.what, at, at + spoiled.pointer, spoiled.body);
  }

  // The required member that the value lacks.
  static std::string lacks(const json::object& schema, const json::value& value) {
    const auto* required = schema.if_contains("required");
    for (const auto& name : required ? required->as_array() : json::array{})
      if (!value.get_object().contains(name.as_string())) return name.as_string().c_str();
    return "";
  }

  json::value body_;
};

bool names(const Answer& answer, const std::string& pointer) {
  const auto problem = answer.json();
  for (const auto& fault : problem.at("errors").as_array())
    if (fault.at("pointer").as_string() == json::string_view(pointer)) return true;
  return false;
}

// The POSTs that take JSON, each with a request that it would take. The channel's is taken whatever is in it.
std::vector<Prepared> posts() {
  std::vector<Prepared> out;
  for (const auto& operation : contract_of(world().system).operations()) {
    if (operation.method != "POST" || !operation.path.starts_with("/api/")) continue;
    const auto body = body_of(world().system, operation);
    if (body && body->media_type == "application/json") out.push_back(requests().make(operation));
  }
  return out;
}

}  // namespace

TEST_CASE("bodies: each field of each POST that is not as its schema says is named, and nothing is done") {
  auto& system = world().system;
  const auto all = posts();
  CHECK_GE(all.size(), 5);
  const auto before = settled_digest(system);
  for (const auto& prepared : all) {
    Spoiler spoiler(json::parse(prepared.body));
    spoiler.value(*body_of(system, *prepared.operation)->schema, "");
    CHECK_GE(spoiler.out.size(), 5);
    for (const auto& spoiled : spoiler.out) {
      auto request = prepared;
      request.body = json::serialize(spoiled.body);
      const auto answer = requests().send(request);
      INFO(prepared.operation->id << ": " << spoiled.what << " at " << spoiled.pointer << " "
                                  << request.body.substr(0, 200) << " " << answer.body.substr(0, 300));
      CHECK_EQ(answer.status, 400);
      if (answer.status == 400 && !spoiled.pointer.empty()) CHECK(names(answer, spoiled.pointer));
    }
  }
  CHECK_EQ(differences(before, settled_digest(system)), "");
}

TEST_CASE("bodies: U+0000, what is no UTF-8, no JSON and no body at all is refused by each POST") {
  auto& system = world().system;
  const auto all = posts();
  const auto before = settled_digest(system);
  for (const auto& prepared : all) {
    const auto body = json::parse(prepared.body);
    std::vector<std::string> bodies{"{", "[}", "nonsense", "\"text\"", "12", "null", "\xff\xfe", prepared.body + "x"};
    if (body.is_object())
      for (const auto& member : body.get_object()) {
        auto spoiled = body.get_object();
        spoiled[member.key()] = json::string("a\0b", 3);
        bodies.push_back(json::serialize(spoiled));
        bodies.push_back(prepared.body.substr(0, prepared.body.size() - 1) + "," +
                         json::serialize(json::value(member.key())) + ":1}");  // a key twice
      }
    if (body_of(system, *prepared.operation)->required) bodies.emplace_back();
    for (const auto& bad : bodies) {
      auto request = prepared;
      request.body = bad;
      const auto answer = requests().send(request);
      INFO(prepared.operation->id << " " << bad.substr(0, 200) << " " << answer.body.substr(0, 300));
      CHECK_EQ(answer.status, 400);
    }
    for (const std::string type : {"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
                                   "application/json; charset=utf-16", "text/csv"}) {
      auto request = prepared;
      request.headers = {{"Content-Type", type}};
      const auto answer = requests().send(request);
      INFO(prepared.operation->id << " " << type << " " << answer.body.substr(0, 300));
      CHECK_EQ(answer.status, 415);
    }
  }
  CHECK_EQ(differences(before, settled_digest(system)), "");
}

TEST_CASE("bodies: fields that an operation does not know are passed over") {
  for (auto prepared : posts()) {
    auto body = json::parse(prepared.body);
    if (!body.is_object()) continue;
    body.as_object()["aFieldOfTomorrow"] = {{"deep", {1, nullptr, "text"}}};
    prepared.body = json::serialize(body);
    const auto answer = requests().send(prepared);
    INFO(prepared.operation->id << " " << answer.body.substr(0, 300));
    CHECK_LT(answer.status, 300);
  }
}

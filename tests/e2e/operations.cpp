#include "tests/e2e/operations.hpp"

#include <algorithm>
#include <cctype>

namespace parley::e2e {

namespace json = boost::json;

const json::value& resolved(System& system, const json::value& value) {
  const json::value* at = &value;
  while (at->is_object() && at->get_object().contains("$ref")) {
    boost::system::error_code error;
    at = contract_of(system).document().find_pointer(at->at("$ref").as_string().subview(1), error);
    if (!at) throw std::logic_error("a reference of the document leads nowhere");
  }
  return *at;
}

const json::object& object_of(System& system, const support::Operation& operation) {
  auto method = operation.method;
  for (auto& c : method) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return contract_of(system).document().at("paths").at(operation.path).at(method).as_object();
}

std::vector<const json::object*> parameters_of(System& system, const support::Operation& operation) {
  std::vector<const json::object*> out;
  const auto& item = contract_of(system).document().at("paths").at(operation.path).as_object();
  for (const auto* owner : {&item, &object_of(system, operation)})
    if (const auto* list = owner->if_contains("parameters"))
      for (const auto& parameter : list->as_array()) out.push_back(&resolved(system, parameter).as_object());
  return out;
}

std::optional<BodyContract> body_of(System& system, const support::Operation& operation) {
  const auto* body = object_of(system, operation).if_contains("requestBody");
  if (!body) return std::nullopt;
  const auto& owner = resolved(system, *body).as_object();
  const auto& content = owner.at("content").as_object();
  const auto* chosen = content.find("application/json");
  const auto is_form = [](const auto& media) { return media.key() == "multipart/form-data"; };
  if (chosen == content.end()) chosen = std::find_if_not(content.begin(), content.end(), is_form);
  BodyContract out{std::string(chosen->key()), owner.contains("required") && owner.at("required").as_bool(), {}, {}};
  const auto& media = chosen->value().as_object();
  out.schema = &media.at("schema");
  if (const auto* example = media.if_contains("example"))
    out.example = example;
  else if (const auto* examples = media.if_contains("examples"))
    out.example = &resolved(system, examples->as_object().begin()->value()).at("value");
  if (!out.example) throw std::logic_error(operation.id + " has no example of its body");
  return out;
}

const support::Operation* find_operation(System& system, const std::string& id) {
  for (const auto& operation : contract_of(system).operations())
    if (operation.id == id) return &operation;
  return nullptr;
}

}  // namespace parley::e2e

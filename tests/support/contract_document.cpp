// Contract::faults: whether the document itself is sound.
#include <algorithm>
#include <initializer_list>
#include <regex>
#include <set>

#include "tests/support/contract.hpp"

namespace parley::support {

namespace json = boost::json;

namespace {

using Names = std::initializer_list<std::string_view>;

std::string_view view(const json::string& text) { return {text.data(), text.size()}; }
std::string_view view(json::string_view text) { return {text.data(), text.size()}; }

class DocumentInspection {
 public:
  DocumentInspection(const Contract& contract, const Schemas& schemas) : contract_(contract), schemas_(schemas) {}

  Faults run() {
    const auto& root = contract_.document().as_object();
    known_only(root, "", {"openapi", "info", "servers", "tags", "security", "paths", "components"});
    references(contract_.document(), "");
    if (const auto* security = root.if_contains("security")) requirements(*security, "/security");
    for (const auto& path : root.at("paths").as_object())
      path_item(path.value(), "/paths" + pointer_step(view(path.key())), std::string(view(path.key())));
    if (const auto* outside = root.if_contains("x-responses-outside-operations"))
      responses(*outside, "/x-responses-outside-operations");
    if (const auto* all = root.if_contains("components")) components(*all);
    return std::move(faults_);
  }

 private:
  void fault(const std::string& at, const std::string& what) { faults_.push_back(at + " " + what); }

  const json::object* object(const json::value& value, const std::string& at) {
    if (!value.is_object()) fault(at, "is no object");
    return value.if_object();
  }

  // As object(), but null for a reference, whose target is checked where it is defined.
  const json::object* own(const json::value& value, const std::string& at) {
    const auto* found = object(value, at);
    if (!found || !found->contains("$ref")) return found;
    known_only(*found, at, {"$ref", "description", "summary"});
    return nullptr;
  }

  void known_only(const json::object& object, const std::string& at, Names names) {
    for (const auto& member : object)
      if (!view(member.key()).starts_with("x-") &&
          std::find(names.begin(), names.end(), view(member.key())) == names.end())
        fault(at + pointer_step(view(member.key())), "is an unknown field");
  }

  void needs(const json::object& object, const std::string& at, Names names) {
    for (const auto name : names)
      if (!object.contains({name.data(), name.size()})) fault(at, "lacks " + std::string(name));
  }

  void references(const json::value& value, const std::string& at) {
    if (value.is_array()) {
      std::size_t i = 0;
      for (const auto& element : value.get_array()) references(element, at + "/" + std::to_string(i++));
    } else if (value.is_object()) {
      if (value.get_object().contains("$ref") && !schemas_.resolve(value)) fault(at, "leads nowhere");
      for (const auto& member : value.get_object()) references(member.value(), at + pointer_step(view(member.key())));
    }
  }

  void requirements(const json::value& security, const std::string& at) {
    boost::system::error_code error;
    const auto* schemes = contract_.document().find_pointer("/components/securitySchemes", error);
    for (const auto& alternative : security.as_array())
      for (const auto& scheme : alternative.as_object())
        if (!schemes || !schemes->as_object().contains(scheme.key()))
          fault(at, "names an unknown scheme: " + std::string(view(scheme.key())));
  }

  void path_item(const json::value& value, const std::string& at, const std::string& path) {
    const auto* item = object(value, at);
    if (!item) return;
    known_only(*item, at,
               {"parameters", "summary", "description", "get", "put", "post", "delete", "head", "patch", "options"});
    const auto* shared = item->if_contains("parameters");
    if (shared) parameters(*shared, at + "/parameters");
    for (const auto& member : *item) {
      const auto name = view(member.key());
      if (name == "parameters" || name == "summary" || name == "description" || name.starts_with("x-")) continue;
      if (const auto* found = object(member.value(), at + pointer_step(name)))
        operation(*found, at + pointer_step(name), path, shared);
    }
  }

  void operation(const json::object& operation, const std::string& at, const std::string& path,
                 const json::value* shared_parameters) {
    known_only(operation, at,
               {"operationId", "tags", "summary", "description", "parameters", "requestBody", "responses", "security",
                "deprecated", "callbacks"});
    needs(operation, at, {"operationId", "summary", "description", "tags", "responses"});
    if (!path.empty()) needs(operation, at, {"x-permission"});  // callbacks have no path, and none
    if (const auto* id = operation.if_contains("operationId"))
      if (!id->is_string() || !ids_.insert(std::string(view(id->as_string()))).second)
        fault(at, "has an operationId that is another's");
    const auto* permission = operation.if_contains("x-permission");
    if (permission && permission->is_array())
      for (const auto& each : permission->get_array()) inspect_permission(each, at + "/x-permission");
    else if (permission && !permission->is_null())
      inspect_permission(*permission, at + "/x-permission");
    if (const auto* callbacks = operation.if_contains("callbacks"))
      for (const auto& callback : callbacks->as_object())
        for (const auto& item : callback.value().as_object())
          path_item(item.value(), at + "/callbacks" + pointer_step(view(callback.key())), "");
    if (const auto* security = operation.if_contains("security")) requirements(*security, at + "/security");
    const auto* own_parameters = operation.if_contains("parameters");
    if (own_parameters) parameters(*own_parameters, at + "/parameters");
    path_parameters(path, {shared_parameters, own_parameters}, at);
    if (const auto* body = operation.if_contains("requestBody")) request_body(*body, at + "/requestBody");
    if (const auto* all = operation.if_contains("responses")) {
      responses(*all, at + "/responses");
      if (!all->as_object().contains("default")) fault(at, "does not say how other errors are answered (default)");
    }
  }

  // The schema Permission, if present, lists all permissions.
  void inspect_permission(const json::value& permission, const std::string& at) {
    static const std::regex form("[A-Z][A-Za-z]*:[A-Z][A-Za-z]*");
    if (!permission.is_string() || !std::regex_match(std::string(view(permission.get_string())), form))
      return fault(at, "is not of the form Verb:Resource");
    boost::system::error_code error;
    if (const auto* schema = contract_.document().find_pointer("/components/schemas/Permission", error)) {
      Faults found;
      schemas_.validate(*schema, permission, Direction::answer, "", found);
      for (const auto& one : found) fault(at, one);
    }
  }

  // Requires that the parameters in the path and the declared ones are the same.
  void path_parameters(const std::string& path, std::initializer_list<const json::value*> lists,
                       const std::string& at) {
    std::set<std::string> in_path;
    static const std::regex name("\\{([^{}]+)\\}");
    for (std::sregex_iterator i(path.begin(), path.end(), name); i != std::sregex_iterator(); ++i)
      in_path.insert((*i)[1]);
    std::set<std::string> declared;
    std::set<std::pair<std::string, std::string>> seen;
    for (const auto* list : lists) {
      if (!list) continue;
      for (const auto& one : list->as_array()) {
        const auto* target = schemas_.resolve(one);
        if (!target || !target->is_object() || !target->get_object().contains("in")) continue;
        const std::string in(view(target->at("in").as_string()));
        const std::string called(view(target->at("name").as_string()));
        if (!seen.emplace(in, called).second) fault(at, "has the parameter " + called + " twice");
        if (in == "path") declared.insert(called);
      }
    }
    if (in_path != declared) fault(at, "does not declare just the parameters of its path");
  }

  void parameters(const json::value& list, const std::string& at) {
    std::size_t i = 0;
    for (const auto& one : list.as_array()) parameter(one, at + "/" + std::to_string(i++));
  }

  void parameter(const json::value& value, const std::string& at) {
    const auto* found = own(value, at);
    if (!found) return;
    known_only(*found, at,
               {"name", "in", "description", "required", "style", "explode", "schema", "example", "deprecated"});
    needs(*found, at, {"name", "in", "description", "schema"});
    const auto* in = found->if_contains("in");
    const bool is_path = in && *in == json::value("path");
    if (is_path && (!found->contains("required") || found->at("required") != json::value(true)))
      fault(at, "is in the path and not required");
    if (in && !is_path && *in != json::value("query") && *in != json::value("header"))
      fault(at + "/in", "is not checked: only path, query and header are");
    if (const auto* style = found->if_contains("style"))
      if (*style != json::value("deepObject") || *in != json::value("query")) fault(at + "/style", "is not checked");
    sampled_schema(*found, Direction::request, at);
  }

  void sampled_schema(const json::object& owner, Direction direction, const std::string& at) {
    const auto* schema = owner.if_contains("schema");
    if (!schema) return;
    schemas_.inspect(*schema, direction, at + "/schema", faults_);
    if (const auto* sample = owner.if_contains("example")) example(*schema, *sample, direction, at + "/example");
    const auto* samples = owner.if_contains("examples");
    if (!samples || !samples->is_object()) return;
    for (const auto& sample : samples->get_object()) {
      const auto* target = schemas_.resolve(sample.value());
      const auto there = at + "/examples" + pointer_step(view(sample.key()));
      if (target && target->is_object() && target->get_object().contains("value"))
        example(*schema, target->at("value"), direction, there);
      else
        fault(there, "has no value");
    }
  }

  void example(const json::value& schema, const json::value& sample, Direction direction, const std::string& at) {
    Faults found;
    schemas_.validate(schema, sample, direction, "", found);
    for (const auto& one : found) fault(at, one);
  }

  void content(const json::value& value, Direction direction, const std::string& at) {
    const auto* found = object(value, at);
    if (!found) return;
    for (const auto& media : *found) {
      const auto there = at + pointer_step(view(media.key()));
      const auto* type = object(media.value(), there);
      if (!type) continue;
      known_only(*type, there, {"schema", "example", "examples"});
      needs(*type, there, {"schema"});
      if (!type->contains("example") && !type->contains("examples")) fault(there, "has no example");
      sampled_schema(*type, direction, there);
    }
  }

  void request_body(const json::value& value, const std::string& at) {
    const auto* found = own(value, at);
    if (!found) return;
    known_only(*found, at, {"description", "required", "content"});
    needs(*found, at, {"content"});
    if (const auto* all = found->if_contains("content")) content(*all, Direction::request, at + "/content");
  }

  void header(const json::value& value, const std::string& at) {
    const auto* found = own(value, at);
    if (!found) return;
    known_only(*found, at, {"description", "required", "schema", "example", "deprecated"});
    needs(*found, at, {"description", "schema"});
    sampled_schema(*found, Direction::answer, at);
  }

  void response(const json::value& value, const std::string& at) {
    const auto* found = own(value, at);
    if (!found) return;
    known_only(*found, at, {"description", "headers", "content"});
    needs(*found, at, {"description"});
    if (const auto* all = found->if_contains("headers"))
      for (const auto& one : all->as_object()) header(one.value(), at + "/headers" + pointer_step(view(one.key())));
    if (const auto* all = found->if_contains("content")) content(*all, Direction::answer, at + "/content");
  }

  void responses(const json::value& value, const std::string& at) {
    static const std::regex status("default|[1-5]([0-9][0-9]|XX)");
    const auto* found = object(value, at);
    if (!found) return;
    for (const auto& one : *found) {
      const std::string name(view(one.key()));
      if (!std::regex_match(name, status)) fault(at, "has something other than a status: " + name);
      response(one.value(), at + pointer_step(name));
    }
  }

  void components(const json::value& value) {
    const auto* found = object(value, "/components");
    if (!found) return;
    known_only(*found, "/components",
               {"securitySchemes", "parameters", "headers", "responses", "requestBodies", "schemas", "examples"});
    const auto each = [&](const char* kind, auto inspect) {
      if (const auto* all = found->if_contains(kind))
        for (const auto& one : all->as_object())
          inspect(one.value(), std::string("/components/") + kind + pointer_step(view(one.key())));
    };
    each("parameters", [&](const auto& one, const auto& at) { parameter(one, at); });
    each("headers", [&](const auto& one, const auto& at) { header(one, at); });
    each("responses", [&](const auto& one, const auto& at) { response(one, at); });
    each("requestBodies", [&](const auto& one, const auto& at) { request_body(one, at); });
    each("schemas", [&](const auto& one, const auto& at) { schemas_.inspect(one, Direction::answer, at, faults_); });
  }

  const Contract& contract_;
  const Schemas& schemas_;
  std::set<std::string> ids_;
  Faults faults_;
};

}  // namespace

Faults Contract::faults() const { return DocumentInspection(*this, schemas_).run(); }

}  // namespace parley::support

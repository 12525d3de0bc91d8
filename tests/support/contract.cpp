#include "tests/support/contract.hpp"

#include <algorithm>
#include <boost/json/parse.hpp>
#include <charconv>
#include <set>
#include <stdexcept>

namespace parley::support {

namespace json = boost::json;

namespace {

std::string_view view(const json::string& text) { return {text.data(), text.size()}; }
std::string_view view(json::string_view text) { return {text.data(), text.size()}; }

std::string text_of(const json::object& object, std::string_view name) {
  const auto* value = object.if_contains({name.data(), name.size()});
  return value && value->is_string() ? std::string(view(value->get_string())) : std::string{};
}

bool is_true(const json::object& object, std::string_view name) {
  const auto* value = object.if_contains({name.data(), name.size()});
  return value && value->is_bool() && value->get_bool();
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); });
  return out;
}

std::string upper(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c); });
  return out;
}

const std::string* find_header(const Headers& headers, std::string_view name) {
  const auto wanted = lower(name);
  const auto found =
      std::find_if(headers.begin(), headers.end(), [&](const auto& h) { return lower(h.first) == wanted; });
  return found == headers.end() ? nullptr : &found->second;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == text.npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::string decode(std::string_view text, bool in_query) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned octet = 0;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(text.data() + i + 1, text.data() + i + 3, octet, 16).ptr == text.data() + i + 3) {
      out += static_cast<char>(octet);
      i += 2;
    } else {
      out += in_query && text[i] == '+' ? ' ' : text[i];
    }
  }
  return out;
}

json::value parse(std::string_view text, boost::system::error_code& error) {
  json::parse_options options;
  options.max_depth = 64;
  return json::parse({text.data(), text.size()}, error, {}, options);
}

bool is_template(std::string_view segment) { return segment.starts_with('{') && segment.ends_with('}'); }

// The media type in lower case without parameters; adds a fault for a character set other than UTF-8.
std::string media_type_of(std::string_view content_type, Faults& faults) {
  const auto parts = split(content_type, ';');
  for (std::size_t i = 1; i < parts.size(); ++i) {
    auto parameter = lower(parts[i]);
    parameter.erase(0, parameter.find_first_not_of(' '));
    if (parameter.starts_with("charset=") && parameter != "charset=utf-8")
      faults.push_back("is not in UTF-8: " + parameter);
  }
  auto type = lower(parts.front());
  type.erase(type.find_last_not_of(' ') + 1);
  return type;
}

// Converts text to the JSON type of its schema; returns text that does not fit as a string.
json::value typed(const std::string& text, std::string_view type) {
  const char* end = text.data() + text.size();
  if (type == "integer") {
    std::int64_t value = 0;
    const auto result = std::from_chars(text.data(), end, value);
    if (result.ec == std::errc{} && result.ptr == end) return value;
  } else if (type == "number") {
    double value = 0;
    const auto result = std::from_chars(text.data(), end, value);
    if (result.ec == std::errc{} && result.ptr == end) return value;
  } else if (type == "boolean" && (text == "true" || text == "false")) {
    return text == "true";
  }
  return json::string(text);
}

// The data of the events of a stream, each of which has one line of it.
std::vector<std::string_view> events_of(std::string_view stream) {
  std::vector<std::string_view> out;
  for (const auto line : split(stream, '\n'))
    if (line.starts_with("data: ")) out.push_back(line.substr(6));
  return out;
}

bool is_open(const json::value* security) {
  const auto* requirements = security ? security->if_array() : nullptr;
  return requirements &&
         (requirements->empty() || std::any_of(requirements->begin(), requirements->end(), [](const json::value& each) {
            return each.is_object() && each.get_object().empty();
          }));
}

const std::set<std::string_view>& methods() {
  static const std::set<std::string_view> names{"get", "put", "post", "delete", "options", "head", "patch", "trace"};
  return names;
}

}  // namespace

namespace {

// The cursor of the next page is in the body and in Link, or in neither.
void check_next_page(const Headers& headers, std::string_view body, Faults& faults) {
  if (body.find("\"nextCursor\":") == body.npos) return;
  boost::system::error_code error;
  const auto value = parse(body, error);
  const auto* next = error ? nullptr : value.find_pointer("/paginationMeta/nextCursor", error);
  if (!next) return;
  const auto* link = find_header(headers, "Link");
  const auto expected = next->is_string() ? "cursor=" + std::string(view(next->get_string())) + ">; rel=\"next\"" : "";
  if (link ? expected.empty() || !link->ends_with(expected) : !expected.empty())
    faults.push_back("/paginationMeta/nextCursor is not that of Link");
}

}  // namespace

Contract::Contract(json::value document) : document_(std::move(document)), schemas_(document_) {
  const auto* root = document_.if_object();
  const auto* paths = root ? root->if_contains("paths") : nullptr;
  if (!paths || !paths->is_object() || !text_of(*root, "openapi").starts_with("3.1."))
    throw std::invalid_argument("this is no OpenAPI 3.1 document");
  for (const auto& path : paths->get_object()) {
    if (!path.value().is_object()) throw std::invalid_argument("a path item is no object");
    for (const auto& member : path.value().get_object()) {
      if (!methods().contains(view(member.key()))) continue;
      if (!member.value().is_object()) throw std::invalid_argument("an operation is no object");
      const auto& object = member.value().get_object();
      Operation operation{
          upper(view(member.key())), std::string(view(path.key())), text_of(object, "operationId"), {}, {}, true};
      if (const auto* permission = object.if_contains("x-permission"); permission && permission->is_string())
        operation.permission = text_of(object, "x-permission");
      else if (permission && permission->is_array())
        for (const auto& each : permission->get_array()) operation.permissions.emplace_back(view(each.as_string()));
      operation.needs_credential = !is_open(object.if_contains("security"));
      operations_.push_back(std::move(operation));
    }
  }
}

// If several templates match a path, the one with the most literal segments wins.
Contract::Match Contract::match(std::string_view method, std::string_view path) const {
  const auto segments = split(path, '/');
  const auto wanted = method == "HEAD" ? std::string_view("GET") : method;
  Match best;
  std::size_t best_literals = 0;
  for (const auto& operation : operations_) {
    const auto pattern = split(operation.path, '/');
    if (pattern.size() != segments.size()) continue;
    std::vector<std::pair<std::string, std::string>> parameters;
    std::size_t literals = 1;
    bool fits = true;
    for (std::size_t i = 0; fits && i < pattern.size(); ++i) {
      if (is_template(pattern[i])) {
        fits = !segments[i].empty();
        parameters.emplace_back(pattern[i].substr(1, pattern[i].size() - 2), decode(segments[i], false));
      } else {
        fits = pattern[i] == segments[i];
        ++literals;
      }
    }
    if (!fits || literals < best_literals) continue;
    if (literals > best_literals) best = {};
    best_literals = literals;
    const auto& item = document_.at("paths").at(operation.path).as_object();
    best.path_item = &item;
    if (operation.method != wanted) continue;
    best.operation = &operation;
    best.object = &item.at(lower(operation.method)).as_object();
    best.path_parameters = std::move(parameters);
  }
  return best;
}

const Operation* Contract::find(std::string_view method, std::string_view target) const {
  return match(method, split(target, '?').front()).operation;
}

std::vector<const json::object*> Contract::parameters_of(const Match& match) const {
  std::vector<const json::object*> found;
  for (const auto* owner : {match.path_item, match.object}) {
    const auto* list = owner ? owner->if_contains("parameters") : nullptr;
    if (!list) continue;
    for (const auto& parameter : list->as_array())
      if (const auto* target = schemas_.resolve(parameter)) found.push_back(&target->as_object());
  }
  return found;
}

const json::value* Contract::find_response(const Match& match, std::string_view method, unsigned status) const {
  // HEAD is refused if the path's GET changes something: that response belongs to the path, not to the operation.
  const bool is_outside = !match.operation || (method == "HEAD" && status == 405);
  const json::value* responses = is_outside ? document_.as_object().if_contains("x-responses-outside-operations")
                                            : match.object->if_contains("responses");
  if (!responses) return nullptr;
  const auto& by_status = responses->as_object();
  const auto* response = by_status.if_contains(std::to_string(status));
  if (!response) response = by_status.if_contains("default");
  return response ? schemas_.resolve(*response) : nullptr;
}

void Contract::check_text(const json::object& parameter, const std::string& text, Direction direction,
                          const std::string& at, Faults& faults) const {
  const auto* schema = parameter.if_contains("schema");
  if (!schema) return faults.push_back(at + " has no schema in the document");
  const auto* target = schemas_.resolve(*schema);
  const auto type = target && target->is_object() ? text_of(target->get_object(), "type") : std::string{};
  schemas_.validate(*schema, typed(text, type), direction, at, faults);
}

void Contract::check_headers(const json::object& response, const Headers& headers, Faults& faults) const {
  const auto* documented = response.if_contains("headers");
  if (!documented) return;
  for (const auto& entry : documented->as_object()) {
    const std::string name(view(entry.key()));
    const auto* target = schemas_.resolve(entry.value());
    if (!target) {
      faults.push_back("header " + name + ": the document's reference leads nowhere");
      continue;
    }
    const auto* text = find_header(headers, name);
    if (text)
      check_text(target->as_object(), *text, Direction::answer, "header " + name, faults);
    else if (is_true(target->as_object(), "required"))
      faults.push_back("header " + name + " is missing");
  }
}

void Contract::check_content(const json::object& owner, std::string_view content_type, std::string_view body,
                             Direction direction, Faults& faults) const {
  const auto* content = owner.if_contains("content");
  if (!content) {
    if (!body.empty()) faults.push_back("has a body where none is documented");
    return;
  }
  const auto type = media_type_of(content_type, faults);
  const auto* media = content->as_object().if_contains(type);
  if (!media) media = content->as_object().if_contains("application/octet-stream");
  if (!media) return faults.push_back("is of a media type that is not documented: " + std::string(content_type));
  const auto* schema = media->as_object().if_contains("schema");
  if (!schema) return faults.push_back("has no schema in the document for " + type);
  if (type == "text/event-stream")
    for (const auto event : events_of(body)) check_json(*schema, event, direction, faults);
  else if (type == "application/json" || type.ends_with("+json"))
    check_json(*schema, body, direction, faults);
  else if (type != "multipart/form-data")  // a form has no JSON value
    schemas_.validate(*schema, json::string(body), direction, "", faults);
}

void Contract::check_json(const json::value& schema, std::string_view text, Direction direction, Faults& faults) const {
  boost::system::error_code error;
  const auto value = parse(text, error);
  if (error) return faults.push_back("is no JSON: " + error.message());
  if (const auto key = find_duplicate_key(text)) faults.push_back("has a key twice: " + *key);
  schemas_.validate(schema, value, direction, "", faults);
}

Faults Contract::check(std::string_view method, std::string_view target, unsigned status, std::string_view content_type,
                       const Headers& headers, std::string_view body) const {
  Faults faults;
  const auto found = match(method, split(target, '?').front());
  const auto* response = find_response(found, method, status);
  const bool is_preflight = method == "OPTIONS" && status == 204;
  if (!found.operation && status < 400 && !is_preflight) {
    faults.push_back("is answered although no operation is documented");
  } else if (!response) {
    faults.push_back("is a status that is not documented");
  } else {
    const auto& object = response->as_object();
    check_headers(object, headers, faults);
    const auto* header = find_header(headers, "Content-Type");
    if (content_type.empty() && header) content_type = *header;
    if (method != "HEAD")
      check_content(object, content_type, body, Direction::answer, faults);
    else if (!body.empty())
      faults.push_back("has a body although the request was HEAD");
  }

  boost::system::error_code error;
  if (const auto problem = parse(body, error);
      !error && problem.is_object() && lower(content_type).starts_with("application/problem+json")) {
    const auto* said = problem.get_object().if_contains("status");
    if (said && *said != json::value(status)) faults.push_back("/status is not the answer's");
    const auto* id = find_header(headers, "X-Request-Id");
    if (id && text_of(problem.get_object(), "requestId") != *id)
      faults.push_back("/requestId is not that of X-Request-Id");
  }
  if (method != "HEAD") check_next_page(headers, body, faults);
  const auto subject = std::string(method) + ' ' + std::string(target) + ' ' + std::to_string(status) + ": ";
  for (auto& fault : faults) fault.insert(0, subject);
  return faults;
}

Faults Contract::check_event(std::string_view body) const {
  boost::system::error_code error;
  const auto value = parse(body, error);
  if (error || !value.is_object()) return {"an event is no JSON object: " + std::string(body)};
  const auto type = text_of(value.get_object(), "type");
  Faults faults;
  check_json(document_.at_pointer("/components/schemas/EventPayload"), body, Direction::answer, faults);
  for (auto& fault : faults) fault.insert(0, type + ": ");
  return faults;
}

Faults Contract::check_request_documented(std::string_view method, std::string_view target, const Headers& headers,
                                          std::string_view content_type, std::string_view body) const {
  Faults faults;
  const auto subject = std::string(method) + ' ' + std::string(target) + ": ";
  const auto question = std::min(target.find('?'), target.size());
  const auto found = match(method, target.substr(0, question));
  if (!found.operation) return {subject + "no such operation is documented"};

  std::vector<std::pair<std::string, std::string>> query;
  if (question < target.size())
    for (const auto pair : split(target.substr(question + 1), '&')) {
      const auto equals = std::min(pair.find('='), pair.size());
      query.emplace_back(decode(pair.substr(0, equals), true),
                         equals < pair.size() ? decode(pair.substr(equals + 1), true) : std::string{});
    }
  std::set<std::string> known;
  for (const auto* parameter : parameters_of(found)) {
    const auto name = text_of(*parameter, "name");
    const auto in = text_of(*parameter, "in");
    const auto& given = in == "query" ? query : in == "path" ? found.path_parameters : headers;
    if (in == "query") known.insert(name);
    const bool is_deep = text_of(*parameter, "style") == "deepObject";
    const auto is_it = [&](const auto& one) {
      if (is_deep) return one.first.starts_with(name + "[") && one.first.ends_with(']');
      return in == "header" ? lower(one.first) == lower(name) : one.first == name;
    };
    if (is_deep) {
      json::object members;
      for (const auto& one : query) {
        if (!is_it(one)) continue;
        known.insert(one.first);
        members[one.first.substr(name.size() + 1, one.first.size() - name.size() - 2)] = one.second;
      }
      schemas_.validate(parameter->at("schema"), members, Direction::request, in + " " + name, faults);
      continue;
    }
    const auto times = std::count_if(given.begin(), given.end(), is_it);
    if (times == 0 && is_true(*parameter, "required")) faults.push_back(in + " " + name + " is missing");
    if (times > 1) faults.push_back(in + " " + name + " is given twice");
    if (times > 0)
      check_text(*parameter, std::find_if(given.begin(), given.end(), is_it)->second, Direction::request,
                 in + " " + name, faults);
  }
  for (const auto& [name, text] : query)
    if (!known.contains(name)) faults.push_back("query " + name + " is not documented");

  const auto* request_body = found.object->if_contains("requestBody");
  const auto* target_body = request_body ? schemas_.resolve(*request_body) : nullptr;
  if (!target_body) {
    if (!body.empty()) faults.push_back("has a body where none is documented");
  } else if (!body.empty() || is_true(target_body->as_object(), "required")) {
    check_content(target_body->as_object(), content_type, body, Direction::request, faults);
  }
  for (auto& fault : faults) fault.insert(0, subject);
  return faults;
}

std::optional<std::string> find_duplicate_key(std::string_view text) {
  std::vector<std::set<std::string>> objects;  // the keys of each open object; empty for arrays
  std::string last;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '{' || c == '[') {
      objects.emplace_back();
    } else if (c == '}' || c == ']') {
      objects.pop_back();
    } else if (c == '"') {
      const auto begin = i + 1;
      for (++i; text[i] != '"'; ++i)
        if (text[i] == '\\') ++i;
      last = text.substr(begin, i - begin);
    } else if (c == ':' && !objects.back().insert(last).second) {
      return last;
    }
  }
  return std::nullopt;
}

}  // namespace parley::support

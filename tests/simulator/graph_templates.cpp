// The part of Graph that makes, changes and deletes templates, and takes the files that they show.
#include <algorithm>

#include "tests/simulator/graph.hpp"
#include "tests/simulator/signing.hpp"

namespace parley::simulator {

namespace json = boost::json;

namespace {

constexpr std::int64_t kDay = 24 * 3'600'000;
constexpr std::size_t kMaxEdits = 10;  // of an approved template in 30 days

http::Response refuse(const TemplateRefusal& refusal) {
  auto response = graph_answer({{"error",
                                 {{"message", "Invalid parameter"},
                                  {"type", "OAuthException"},
                                  {"code", 100},
                                  {"error_subcode", refusal.subcode},
                                  {"is_transient", false},
                                  {"error_user_title", refusal.title},
                                  {"error_user_msg", refusal.message},
                                  {"fbtrace_id", "A" + random_letters(22)}}}});
  response.status = 400;
  return response;
}

json::object read_object(std::string_view body) {
  model::Fault fault;
  auto parsed = model::parse(body, fault);
  if (!parsed || !parsed->is_object()) throw Refusal{100, "The body is not a JSON object."};
  return std::move(parsed->get_object());
}

std::string wanted_text(const json::object& body, std::string_view name) {
  const auto* value = body.if_contains(name);
  if (!value || !value->is_string() || value->get_string().empty())
    throw Refusal{100, "The parameter " + std::string(name) + " is required."};
  return std::string(value->get_string());
}

json::array components_of(const json::object& body) {
  const auto* components = body.if_contains("components");
  if (!components || !components->is_array()) throw Refusal{100, "The parameter components is required."};
  for (const auto& each : components->get_array())
    if (!each.is_object()) throw Refusal{100, "The components must be objects."};
  return components->get_array();
}

}  // namespace

std::optional<TemplateRefusal> Graph::refusal_of(const Template& made) const {
  return simulator::refusal_of(made, [this](const std::string& text) { return state_.handles.contains(text); });
}

http::Response Graph::make_template(const Call& call) {
  if (!state_.accounts.contains(call.id)) return unknown_object(call.id);
  const auto body = read_object(call.body);
  Template made;
  made.business_account_id = call.id;
  made.name = wanted_text(body, "name");
  made.language = wanted_text(body, "language");
  made.category = wanted_text(body, "category");
  made.status = "PENDING";
  if (body.contains("parameter_format")) made.parameter_format = wanted_text(body, "parameter_format");
  made.components = components_of(body);
  if (const auto refusal = refusal_of(made)) return refuse(*refusal);
  if (state_.templates.find(call.id, made.name, made.language))
    return refuse({2388024, "Content in this language already exists",
                   "There is already content for this template in this language."});
  if (state_.templates.is_held(made))
    return refuse({2388023, "Message template language is being deleted", "Try again in 4 weeks."});
  const auto& kept = state_.templates.add(std::move(made));
  return graph_answer({{"id", kept.id}, {"status", kept.status}, {"category", kept.category}});
}

// An approved template is changed once in a day. What was changed is reviewed again.
http::Response Graph::edit_template(const Call& call) {
  auto* const known = state_.templates.find(call.id);
  if (!known) return unknown_object(call.id);
  if (known->status != "APPROVED" && known->status != "REJECTED" && known->status != "PAUSED")
    return refuse({2388028, "Message template can't be edited", "It is " + known->status + "."});
  const auto now = now_ms();
  std::erase_if(known->edited, [&](std::int64_t at) { return at < now - 30 * kDay; });
  const bool is_approved = known->status == "APPROVED";
  const bool is_too_soon = !known->edited.empty() && known->edited.back() > now - kDay;
  if (is_approved && (is_too_soon || known->edited.size() >= kMaxEdits))
    return refuse({2388027, "Message template edit limit reached", "Try again tomorrow."});
  const auto body = read_object(call.body);
  auto changed = *known;
  if (body.contains("category")) changed.category = wanted_text(body, "category");
  if (is_approved && changed.category != known->category)
    return refuse({2388026, "Category can't be changed", "The template is approved."});
  if (body.contains("parameter_format")) changed.parameter_format = wanted_text(body, "parameter_format");
  if (body.contains("components")) changed.components = components_of(body);
  if (const auto refusal = refusal_of(changed)) return refuse(*refusal);
  changed.status = "PENDING";
  changed.rejected_reason.clear();
  if (is_approved) changed.edited.push_back(now);
  *known = std::move(changed);
  return graph_answer({{"success", true}});
}

http::Response Graph::delete_template(const Call& call) {
  if (!state_.templates.remove(call.id, call.parameter("name"), call.parameter("hsm_id")))
    return refuse({2593002, "Message template not found", "There is no template of that name."});
  return graph_answer({{"success", true}});
}

// A session of a resumable upload, by the application's id or `app`.
http::Response Graph::begin_upload(const Call& call) {
  if (call.id != "app" && call.id != state_.settings.app_id) return unknown_object(call.id);
  const std::string type(call.parameter("file_type")), length(call.parameter("file_length"));
  const auto size = std::strtoull(length.c_str(), nullptr, 10);
  if (type.empty() || size == 0) throw Refusal{100, "The parameters file_length and file_type are required."};
  if (const auto refusal = refusal_of_media(type, size)) throw Refusal{100, *refusal};
  const auto id = "upload:MTph" + random_letters(40) + "==?sig=AR" + random_letters(12);
  state_.uploads.emplace(id, size);
  return graph_answer({{"id", id}});
}

// All octets in one part: whoever breaks off begins anew.
http::Response Graph::upload_octets(const Call& call) {
  const auto id = std::string(call.id) + "?sig=" + std::string(call.parameter("sig"));
  const auto known = state_.uploads.find(id);
  if (known == state_.uploads.end()) return unknown_object(call.id);
  if (call.file_offset != "0") return graph_error(100, "The field file_offset is missing, or not 0.");
  if (call.body.size() != known->second) return graph_error(6000, "There was a problem uploading your file.");
  state_.uploads.erase(known);
  const auto handle = "4::aW" + random_letters(60);
  state_.handles.insert(handle);
  return graph_answer({{"h", handle}});
}

// POST to an object.
http::Response Graph::change_object(const Call& call) {
  return call.id.starts_with("upload:") ? upload_octets(call) : edit_template(call);
}

}  // namespace parley::simulator

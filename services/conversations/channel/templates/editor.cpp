#include "conversations/channel/templates/editor.hpp"

#include <algorithm>

#include "conversations/channel/templates/rules.hpp"

namespace parley::conversations::templates {

using Kind = channel::Submission::Kind;

namespace {

// The channel's error_subcode.
constexpr std::int64_t kIsThere = 2388024;  // a template of this name in this language
constexpr std::int64_t kIsGone = 2593002;   // no template of this name

http::Problem refused(const channel::Submission& submission) {
  return http::Problem({.status = 409, .detail = "the messaging channel refuses this: " + submission.text});
}

http::Problem taken() {
  return http::Problem({.status = 409,
                        .detail = "there is a template with this name in this language already",
                        .errors = {{"/name", "is that of a template in this language"}}});
}

http::Problem in_doubt() {
  return http::Problem({.status = 503,
                        .detail =
                            "it is not known whether the messaging channel did this: repeat the request, with the "
                            "same Idempotency-Key if it has one",
                        .head = "Retry-After: 10\r\n"});
}

std::string body_of(const Draft& draft) {
  std::string out = "{\"name\":";
  model::write(out, draft.name);
  out += ",\"language\":";
  model::write(out, draft.language);
  out += ",\"category\":";
  model::write(out, draft.category);
  out += ",\"parameter_format\":";
  model::write(out, draft.parameterFormat.value_or(ParameterFormat::POSITIONAL));
  return out + ",\"components\":" + to_channel(draft.components) + "}";
}

std::string body_of(const Edit& edit, ParameterFormat format) {
  std::string out = "{";
  if (edit.category) {
    out += "\"category\":";
    model::write(out, *edit.category);
  }
  if (!edit.components) return out + "}";
  if (edit.category) out += ',';
  out += "\"parameter_format\":";
  model::write(out, format);
  return out + ",\"components\":" + to_channel(*edit.components) + "}";
}

// Until the channel tells more.
channel::Template edited(const Template& known, const Edit& edit) {
  return {known.id,
          known.name,
          known.language,
          edit.category ? std::string(model::name_of(*edit.category)) : known.category,
          "PENDING",
          edit.components ? model::RawJson{to_channel(*edit.components)} : known.components,
          "",
          known.quality};
}

}  // namespace

awaitable<std::optional<channel::Template>> Editor::look(const channel::Account& account, const std::string& name,
                                                         const std::string& language) {
  auto named = co_await channel_.templates_named(account, name);
  const auto found = std::ranges::find(named, language, &channel::Template::language);
  if (found == named.end()) co_return std::nullopt;
  co_return std::move(*found);
}

awaitable<std::optional<channel::Template>> Editor::look_in_doubt(const channel::Account& account,
                                                                  const std::string& name,
                                                                  const std::string& language) {
  try {
    co_return co_await look(account, name, language);
  } catch (const http::Problem&) {
    throw in_doubt();
  }
}

awaitable<channel::Template> Editor::create(const channel::Account& account, const Draft& draft, bool may_repeat) {
  const auto sent = co_await channel_.create_template(account, body_of(draft));
  const bool is_doubtful = sent.kind == Kind::in_doubt || (sent.kind == Kind::accepted && sent.id.empty());
  if (sent.kind == Kind::accepted && !is_doubtful)
    co_return channel::Template{sent.id,
                                draft.name,
                                draft.language,
                                sent.category.empty() ? std::string(model::name_of(draft.category)) : sent.category,
                                sent.status.empty() ? "PENDING" : sent.status,
                                {to_channel(draft.components)},
                                "",
                                "UNKNOWN"};
  if (sent.kind == Kind::refused && sent.subcode != kIsThere) throw refused(sent);
  auto there = co_await look_in_doubt(account, draft.name, draft.language);
  if (there && (is_doubtful || may_repeat) && is_made_of(there->components, draft.components))
    co_return std::move(*there);
  if (there) throw taken();
  if (is_doubtful) throw in_doubt();
  throw refused(sent);
}

bool Editor::is_editable(const Template& known) {
  return known.status == "APPROVED" || known.status == "REJECTED" || known.status == "PAUSED";
}

bool Editor::is_so(const std::string& category, const model::RawJson& components, const Edit& edit) {
  return (!edit.category || category == model::name_of(*edit.category)) &&
         (!edit.components || is_made_of(components, *edit.components));
}

// What the channel has is looked at in any case: who repeats a request whose answer was lost is refused, as the
// template is in review; and the status after an edit is the channel's to say.
awaitable<channel::Template> Editor::edit(const channel::Account& account, const Template& known, const Edit& edit) {
  const auto format = edit.parameterFormat.value_or(format_of(known.components));
  const auto sent = co_await channel_.edit_template(account, known.id, body_of(edit, format));
  std::optional<channel::Template> there;
  try {
    there = co_await look(account, known.name, known.language);
  } catch (const http::Problem&) {
    if (sent.kind == Kind::in_doubt) throw in_doubt();
  }
  const bool has_it = there && there->id == known.id && is_so(there->category, there->components, edit);
  const bool was_so = is_so(known.category, known.components, edit);  // submitted once more, such as after a refusal
  if (has_it && (sent.kind == Kind::accepted || there->status == "PENDING" || !was_so)) co_return std::move(*there);
  if (sent.kind == Kind::in_doubt) throw in_doubt();
  if (sent.kind == Kind::refused) throw refused(sent);
  co_return edited(known, edit);
}

awaitable<void> Editor::remove(const channel::Account& account, const Template& known) {
  const auto sent = co_await channel_.delete_template(account, known.name, known.id);
  if (sent.kind == Kind::accepted || sent.subcode == kIsGone) co_return;
  if (sent.kind == Kind::refused) throw refused(sent);
  const auto there = co_await look_in_doubt(account, known.name, known.language);
  if (there && there->id == known.id) throw in_doubt();
}

}  // namespace parley::conversations::templates

#include "conversations/campaigns/audience/page.hpp"

#include <algorithm>
#include <stdexcept>

namespace parley::conversations::audience {

namespace {

constexpr std::size_t kIdLength = 36;

using Member = contracts::contacts::Recipient;

[[noreturn]] void refuse(const std::string& why) {
  throw std::runtime_error("contacts' answer about an audience " + why);
}

Member read_member(std::string_view text) {
  model::Fault fault;
  auto out = model::from_json<Member>(text, fault);
  if (!out) refuse("is wrong at " + fault.pointer + ": " + fault.detail);
  return std::move(*out);
}

// Array literal for PostgreSQL (manual, 8.15.2): an array of arrays cannot be unnested to rows.
std::string array_text(const std::vector<std::optional<std::string>>& values) {
  std::string out = "{";
  for (const auto& value : values) {
    if (out.size() > 1) out += ',';
    if (!value) {
      out += "NULL";
      continue;
    }
    out += '"';
    for (const char c : *value) {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
    out += '"';
  }
  return out += '}';
}

}  // namespace

std::string recipient_of(const Member& member) {
  auto out = member.phone.value_or("");
  return out.empty() ? member.channelUserId.value_or("") : out;
}

std::optional<std::string> why_skipped(const Member& member, std::optional<std::size_t> variant,
                                       const rendering::Composition& composition) {
  if (member.status != model::ContactStatus::Active) return std::string(model::name_of(member.status));
  if (recipient_of(member).empty()) return "Invalid";
  const auto first = variant.value_or(0), last = variant.value_or(composition.variant_count() - 1);
  for (auto i = first; i <= last; ++i)
    if (composition.misses_value(i, member.values)) return "MissingValue";
  return std::nullopt;
}

bool Page::add(std::string_view line, const rendering::Composition& composition) {
  is_last_ = line == contracts::contacts::kNoNextPage;
  if (is_last_) return false;
  const bool is_next = line.starts_with(contracts::contacts::kNextPage);
  if (is_next) line.remove_prefix(contracts::contacts::kNextPage.size());
  const auto id = model::Uuid::parse(line.substr(0, kIdLength));
  if (!id || *id < reached_ || (*id == reached_ && !(is_next && size() > 0))) refuse("is not in order");
  reached_ = *id;
  if (is_next) return false;
  if (line.size() <= kIdLength) refuse("lacks a contact");

  auto member = read_member(line.substr(kIdLength + 1));
  if (member.values.size() != composition.variables().size()) refuse("lacks values");
  const auto variant = composition.variant_drawn(draw(draws_, *id));
  skipped.push_back(why_skipped(member, has_experiment_ ? std::nullopt : std::optional(variant), composition));
  contact_ids.push_back(*id);
  message_ids.push_back(model::new_uuid());
  recipients.push_back(recipient_of(member));
  parameters.push_back(array_text(member.values));
  variants.push_back(static_cast<std::int64_t>(variant));
  return true;
}

std::int64_t Page::skips() const {
  return std::count_if(skipped.begin(), skipped.end(), [](const auto& why) { return why.has_value(); });
}

}  // namespace parley::conversations::audience

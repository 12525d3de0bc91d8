#include <charconv>

#include "analytics/reports/shapes.hpp"
#include "common/model/text.hpp"

namespace parley::analytics::reports {

namespace {

// Labels and numbers need no quotes.
void add_line(std::string& out, const model::Timestamp& date, const std::string& label,
              std::initializer_list<std::optional<std::int64_t>> values) {
  date.append_to(out);
  out.append(",").append(label);
  for (const auto& value : values) {
    out += ',';
    if (value) out += std::to_string(*value);
  }
  out += "\r\n";
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// Removes and returns the part before the separator.
std::string_view take(std::string_view& text, char separator) {
  const auto end = text.find(separator);
  const auto part = text.substr(0, end);
  text.remove_prefix(end == text.npos ? text.size() : end + 1);
  return trimmed(part);
}

// The weight of a media range (RFC 9110 12.4.2); 1 by default.
double weight_of(std::string_view parameters) {
  double weight = 1;
  while (!parameters.empty()) {
    const auto parameter = take(parameters, ';');
    if (!parameter.starts_with("q=") && !parameter.starts_with("Q=")) continue;
    const auto text = parameter.substr(2);
    if (std::from_chars(text.data(), text.data() + text.size(), weight).ec != std::errc{}) weight = 0;
  }
  return weight;
}

}  // namespace

std::string csv_of(const std::vector<Slot>& slots) {
  std::string out =
      "date,label,totalRecipients,messagesSent,messagesFailed,messagesDelivered,messagesUndelivered,messagesRead,"
      "recipientsReplied,recipientsEngaged,replies,conversationInitiated,engagements,linkClicks\r\n";
  for (const auto& slot : slots)
    add_line(out, slot.date, slot.label,
             {slot.recipients, slot.sent, slot.failed, slot.delivered, slot.undelivered, slot.read, slot.replied,
              slot.engaged, slot.replies, slot.conversations, slot.replies_at + slot.clicks_at, slot.clicks_at});
  return out;
}

std::string csv_of(const model::PrimaryAnalytics& figures) {
  std::string out =
      "date,label,inboundMessages,outboundMessages,messagesSent,messagesDelivered,messagesRead,messagesFailed,"
      "conversationsOpened,contactsCreated,contactsDeleted,totalContacts\r\n";
  for (std::size_t i = 0; i < figures.messageTrends.size(); ++i) {
    const auto& messages = figures.messageTrends[i];
    const auto& contacts = figures.contactTrends[i];
    add_line(out, messages.date, messages.label,
             {messages.inbound, messages.outbound, messages.sent, messages.delivered, messages.read, messages.failed,
              figures.conversationTrends[i].count, contacts.created, contacts.deleted, contacts.total});
  }
  return out;
}

bool prefers_csv(std::string_view accept) {
  double csv = 0, json = 0;
  while (!accept.empty()) {
    auto range = take(accept, ',');
    const auto type = take(range, ';');
    const auto weight = weight_of(range);
    if (model::equals_ignoring_case(type, "text/csv")) csv = weight;
    if (model::equals_ignoring_case(type, "application/json")) json = weight;
  }
  return csv > json;
}

}  // namespace parley::analytics::reports

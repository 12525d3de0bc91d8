#include "conversations/recipients/export.hpp"

#include "common/model/text.hpp"

namespace parley::conversations::recipients {

namespace {

constexpr std::string_view kHeader =
    "contactId,phone,variant,state,reason,reasonText,messageId,conversationId,sentAt,statusAt,repliedAt,clickedAt\r\n";

void append_cell(std::string& out, std::string_view text, char after = ',') {
  model::append_csv_field(out, text);
  out += after;
}

template <class T>
void append_cell(std::string& out, const std::optional<T>& value, char after = ',') {
  if constexpr (std::is_same_v<T, std::string>)
    append_cell(out, value ? std::string_view(*value) : std::string_view{}, after);
  else
    append_cell(out, value ? value->text() : std::string(), after);
}

void append_line(std::string& out, const Recipient& recipient) {
  append_cell(out, recipient.contactId.text());
  append_cell(out, recipient.phone);
  append_cell(out, recipient.variant);
  append_cell(out, model::name_of(recipient.state));
  append_cell(out, recipient.reason);
  append_cell(out, recipient.reasonText);
  append_cell(out, recipient.messageId);
  append_cell(out, recipient.conversationId);
  append_cell(out, recipient.sentAt);
  append_cell(out, recipient.statusAt);
  append_cell(out, recipient.repliedAt);
  append_cell(out, recipient.clickedAt, '\r');
  out += '\n';
}

}  // namespace

awaitable<void> Export::begin() {
  gathered_ = kHeader;
  co_await take_step();
}

awaitable<void> Export::take_step() {
  const auto step = co_await store_.step(campaign_, filter_, after_);
  for (const auto& recipient : step.recipients) append_line(gathered_, recipient);
  after_ = step.end;
}

awaitable<std::string_view> Export::next() {
  while (gathered_.empty() && after_ < campaign_.last) co_await take_step();
  given_.clear();
  std::swap(given_, gathered_);
  co_return given_;
}

}  // namespace parley::conversations::recipients

#include "conversations/campaigns/recipients/export.hpp"

namespace parley::conversations::recipients {

namespace {

constexpr std::string_view kHeader =
    "contactId,phone,variant,state,reason,reasonText,messageId,conversationId,sentAt,statusAt,repliedAt,clickedAt\r\n";

// Texts may need guarding against formulas; ids and timestamps never do.
void append_line(std::string& out, const Recipient& recipient, model::CsvCells cells) {
  const auto append_text = [&](std::string_view text) {
    model::append_csv_cell(out, text, cells);
    out += ',';
  };
  const auto append = [&](const auto& value, std::string_view after = ",") {
    if (value) value->append_to(out);
    out += after;
  };
  append(std::optional(recipient.contactId));
  append_text(recipient.phone);
  append_text(recipient.variant.value_or(""));
  append_text(model::name_of(recipient.state));
  append_text(recipient.reason.value_or(""));
  append_text(recipient.reasonText.value_or(""));
  append(recipient.messageId);
  append(recipient.conversationId);
  append(recipient.sentAt);
  append(recipient.statusAt);
  append(recipient.repliedAt);
  append(recipient.clickedAt, "\r\n");
}

}  // namespace

awaitable<void> Export::begin() {
  gathered_ = kHeader;
  co_await take_step();
}

awaitable<void> Export::take_step() {
  const auto step = co_await store_.step(campaign_, filter_, after_);
  for (const auto& recipient : step.recipients) append_line(gathered_, recipient, *filter_.csv);
  after_ = step.end;
}

awaitable<std::string_view> Export::next() {
  while (gathered_.empty() && after_ < campaign_.last) co_await take_step();
  given_.clear();
  std::swap(given_, gathered_);
  place_->advance(given_.size());
  co_return given_;
}

}  // namespace parley::conversations::recipients

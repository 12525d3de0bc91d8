#include "conversations/campaigns/recipients/requests.hpp"

#include <charconv>
#include <limits>

namespace parley::conversations::recipients {

namespace {

constexpr std::size_t kMaxCharacters = 255;
constexpr std::string_view kCsvHasNoPages = "a file has all recipients that the filters let through: no pages";

// Binds a cursor to the filters that it was issued for.
std::string order_name(const Filter& filter) {
  std::string out = "recipients ";
  out += filter.state ? model::name_of(*filter.state) : "";
  for (const auto* text : {&filter.variant, &filter.reason}) {
    out += ' ';
    if (*text) model::write(out, **text);
  }
  return out;
}

// Format: `after skip total`; the total is "-" if not counted.
std::optional<PageCursor> read_place(std::string_view text) {
  PageCursor place;
  std::int64_t total = 0;
  for (auto* number : {&place.after, &place.skip, &total}) {
    if (number == &total && text == "-") return place;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), *number);
    if (read.ec != std::errc{} || *number < 0 || *number > std::numeric_limits<std::int32_t>::max())
      return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
    if (number != &total && !text.starts_with(' ')) return std::nullopt;
    if (number != &total) text.remove_prefix(1);
  }
  place.total = total;
  return text.empty() ? std::optional(place) : std::nullopt;
}

}  // namespace

Filter check(const model::Uuid& campaign, const ListQuery& query) {
  http::Faults faults;
  Filter filter;
  http::PageQuery paging{query.skip, query.page, query.per_page, query.limit, {}, {}, query.cursor};
  filter.paging = http::read_paging(paging, faults);
  filter.state = query.state;
  filter.variant = query.variant;
  filter.reason = query.reason;
  if (filter.variant) faults.check_text("?variant", *filter.variant, 0, kMaxCharacters);
  if (filter.reason) faults.check_text("?reason", *filter.reason, 1, kMaxCharacters);
  if (query.cursor) {
    const auto cursor = http::read_cursor(order_name(filter), *query.cursor, faults);
    const auto place = cursor && cursor->id == campaign ? read_place(cursor->text) : std::nullopt;
    if (cursor && !place) faults.add("?cursor", "is not one that this list gave for this order");
    if (place) filter.place = *place;
  }
  filter.place.skip += filter.paging.skip;
  const bool pages = query.skip || query.page || query.per_page || query.limit || query.cursor;
  if (query.format && *query.format != "json" && !model::read_csv_cells(*query.format, filter.csv.emplace()))
    faults.add("?format", "must be one of json, csv, csv-raw");
  if (filter.csv && pages) faults.add("?format", std::string(kCsvHasNoPages));
  faults.throw_if_any();
  return filter;
}

std::string cursor_to(const model::Uuid& campaign, const Filter& filter, const PageCursor& place) {
  auto text = std::to_string(place.after) + " " + std::to_string(place.skip) + " ";
  text += place.total ? std::to_string(*place.total) : "-";
  return http::write_cursor(order_name(filter), {campaign, std::move(text)});
}

}  // namespace parley::conversations::recipients

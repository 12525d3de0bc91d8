#include "contacts/segments/checks.hpp"

#include <boost/json/value.hpp>

#include "common/model/keep.hpp"

namespace parley::contacts::segments {

namespace {

constexpr std::size_t kMaxNameCharacters = 255;
constexpr std::size_t kMaxDescriptionCharacters = 2'000;
constexpr std::size_t kMaxFilterOctets = 32 * 1024;
constexpr auto kFilter = "/filter";

Changes check(SegmentBody body, http::Faults& faults) {
  Changes out;
  if (body.name) faults.check_text("/name", *body.name, 1, kMaxNameCharacters);
  if (body.description) faults.check_text("/description", *body.description, 0, kMaxDescriptionCharacters);
  std::optional<Condition> filter;
  if (body.filter) filter = check_filter(*body.filter, kFilter, faults);
  faults.throw_if_any();
  if (filter) out.named = named_in(*filter, kFilter);
  out.name = std::move(body.name);
  out.description = std::move(body.description);
  out.filter = std::move(body.filter);
  return out;
}

}  // namespace

Condition check_filter(const model::RawJson& filter, const std::string& pointer, http::Faults& faults) {
  if (filter.text.size() > kMaxFilterOctets || !model::is_kept_within(filter, kMaxFilterOctets)) {
    faults.add(pointer, "must be at most 32 KiB long");
    return {};
  }
  model::Fault fault;
  const auto json = model::parse(filter.text, fault);  // as it was read, it is JSON
  return read_filter(json.value(), pointer, faults);
}

// The default order: newest first, names from A to Z.
PageFilter check(const ListQuery& query) {
  return http::read_page_filter(query, query.sort_by == SortBy::name ? http::Order::asc : http::Order::desc);
}

Changes check_new(SegmentBody body) {
  http::Faults faults;
  if (!body.name) faults.add("/name", "is required");
  if (!body.filter) faults.add(kFilter, "is required");
  return check(std::move(body), faults);
}

Changes check(SegmentBody body) {
  http::Faults faults;
  return check(std::move(body), faults);
}

Condition check(const CountBody& body) {
  http::Faults faults;
  auto filter = check_filter(body.filter, kFilter, faults);
  faults.throw_if_any();
  return filter;
}

}  // namespace parley::contacts::segments

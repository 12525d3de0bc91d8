#include "common/http/query.hpp"

#include <algorithm>
#include <boost/url/encode.hpp>
#include <boost/url/pct_string_view.hpp>
#include <boost/url/rfc/unreserved_chars.hpp>
#include <charconv>

#include "common/http/body.hpp"
#include "common/model/text.hpp"

namespace parley::http {

namespace {

constexpr std::int64_t kMaxPerPage = 100;
// PostgreSQL reads all skipped rows: deeper pages require a cursor.
constexpr std::int64_t kMaxSkipped = 10'000;

std::string decode(std::string_view text) {
  const auto coded = boost::urls::make_pct_string_view({text.data(), text.size()});
  if (!coded)
    throw Problem({.status = 400, .detail = "the query has a % that is not followed by two hexadecimal digits"});
  boost::urls::encoding_opts form;
  form.space_as_plus = true;
  auto out = coded->decode(form);
  if (out.find('\0') != out.npos) throw Problem({.status = 400, .detail = "the query holds U+0000"});
  if (!model::count_characters(out)) throw Problem({.status = 400, .detail = "the query is not UTF-8"});
  return out;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace

std::vector<std::pair<std::string, std::string>> parse_query(std::string_view query) {
  std::vector<std::pair<std::string, std::string>> out;
  while (!query.empty()) {
    const auto end = query.find('&');
    const auto pair = query.substr(0, end);
    query = end == query.npos ? std::string_view{} : query.substr(end + 1);
    if (pair.empty()) continue;
    const auto equals = pair.find('=');
    out.emplace_back(decode(pair.substr(0, equals)),
                     equals == pair.npos ? std::string{} : decode(pair.substr(equals + 1)));
  }
  return out;
}

void append_encoded(std::string& out, std::string_view text) {
  boost::urls::encode({text.data(), text.size()}, boost::urls::unreserved_chars, {},
                      boost::urls::string_token::append_to(out));
}

bool read_parameter(const std::string& text, std::string& out, std::string&) {
  out = text;
  return true;
}

bool read_parameter(const std::string& text, std::int64_t& out, std::string& must) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  must = "must be an integer";
  return error == std::errc{} && end == text.data() + text.size();
}

bool read_parameter(const std::string& text, bool& out, std::string& must) {
  must = "must be true or false";
  out = text == "true";
  return out || text == "false";
}

bool read_parameter(const std::string& text, model::Uuid& out, std::string& must) {
  must = "must be an id";
  const auto id = model::Uuid::parse(text);
  if (id) out = *id;
  return id.has_value();
}

bool read_parameter(const std::string& text, model::Timestamp& out, std::string& must) {
  must = "must be a date (2026-01-31) or a date-time with its zone (2026-01-31T12:00:00Z)";
  const auto moment = model::Timestamp::parse(text);
  if (moment) out = *moment;
  return moment.has_value();
}

bool read_parameter(const std::string& text, std::vector<model::Uuid>& out, std::string& must) {
  must = "must be ids with commas between them";
  for (std::string_view rest = text; !rest.empty();) {
    const auto comma = std::min(rest.find(','), rest.size());
    const auto id = model::Uuid::parse(rest.substr(0, comma));
    if (!id) return false;
    out.push_back(*id);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return true;
}

void append_parameter(std::string& out, const std::string& value) { append_encoded(out, value); }
void append_parameter(std::string& out, std::int64_t value) { out += std::to_string(value); }
void append_parameter(std::string& out, const model::Uuid& value) { value.append_to(out); }
void append_parameter(std::string& out, const std::vector<model::Uuid>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) out += ',';
    values[i].append_to(out);
  }
}

model::CsvCells csv_cells(const std::optional<std::string>& format) {
  auto out = model::CsvCells::guarded;
  if (format && !model::read_csv_cells(*format, out)) throw_faults({{"?format", "must be one of csv, csv-raw"}});
  return out;
}

std::optional<std::string_view> Prefixed::name_in(std::string_view parameter, std::string_view member) {
  if (!parameter.starts_with(member)) return std::nullopt;
  auto name = parameter.substr(member.size());
  const bool is_bracketed = name.starts_with('[') && name.ends_with(']');
  if (!is_bracketed && !name.starts_with('.')) return std::nullopt;
  if (is_bracketed) name.remove_suffix(1);
  return name.substr(1);
}

bool Prefixed::add(std::string_view name, std::string_view value) {
  for (const auto& [known, text] : values_)
    if (known == name) return false;
  values_.emplace_back(name, value);
  return true;
}

model::Fault unknown_parameter(std::string_view name, const std::vector<std::string_view>& known) {
  if (known.empty()) return {"?" + std::string(name), "is not known: this takes no parameters"};
  const auto shown = model::first_octets(name, 64);
  const auto nearest = *std::min_element(
      known.begin(), known.end(), [&](auto a, auto b) { return edit_distance(shown, a) < edit_distance(shown, b); });
  return {"?" + std::string(shown), "is not known: did you mean " + std::string(nearest) + "?"};
}

Paging read_paging(const std::optional<std::int64_t>& skip, const std::optional<std::int64_t>& page,
                   const std::optional<std::int64_t>& per_page, const std::optional<std::int64_t>& limit) {
  Faults faults;
  const auto paging = read_paging(skip, page, per_page, limit, faults);
  faults.throw_if_any();
  return paging;
}

Paging read_paging(const std::optional<std::int64_t>& skip, const std::optional<std::int64_t>& page,
                   const std::optional<std::int64_t>& per_page, const std::optional<std::int64_t>& limit,
                   Faults& faults) {
  Paging paging;
  if (per_page && limit && *per_page != *limit) faults.add("?limit", "is another name of per_page: give one of them");
  paging.per_page = per_page.value_or(limit.value_or(paging.per_page));
  if (paging.per_page < 1 || paging.per_page > kMaxPerPage) {
    faults.add(limit ? "?limit" : "?per_page", "must be from 1 to " + std::to_string(kMaxPerPage));
    paging.per_page = 1;
  }
  const auto check = [&](const char* parameter, std::int64_t value, std::int64_t least, std::int64_t most) {
    if (value >= least && value <= most) return true;
    faults.add(parameter, "must be from " + std::to_string(least) + " to " + std::to_string(most) +
                              (value > most ? ": further on follow the rel=\"next\" of the header Link" : ""));
    return false;
  };
  if (skip && check("?skip", *skip, 0, kMaxSkipped)) paging.skip = *skip;
  if (page && check("?page", *page, 1, kMaxSkipped / paging.per_page + 1)) {
    const auto before = (*page - 1) * paging.per_page;
    if (skip && *skip != before) faults.add("?page", "begins elsewhere than skip: give one of them");
    paging.skip = before;
  }
  return paging;
}

}  // namespace parley::http

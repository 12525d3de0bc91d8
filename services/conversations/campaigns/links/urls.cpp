#include "conversations/campaigns/links/urls.hpp"

#include <stdexcept>
#include <unordered_map>

#include "conversations/campaigns/links/sql.hpp"

namespace parley::conversations::links {

namespace {

struct UrlRow {
  std::string url;
  std::int64_t id = 0;
  std::string secret;
};
BOOST_DESCRIBE_STRUCT(UrlRow, (), (url, id, secret))

}  // namespace

std::string read_public_url(chassis::Environment& environment) {
  auto url = environment.url("PARLEY_PUBLIC_URL");
  if (url.find(',') != url.npos) environment.fault("PARLEY_PUBLIC_URL", "must be one URL");
  while (url.ends_with('/')) url.pop_back();
  return url;
}

void add_urls(pg::Batch& batch, const model::Uuid& organization, const model::Uuid& campaign,
              const std::vector<std::string>& urls) {
  if (!urls.empty()) batch.add(sql::add_urls, organization, campaign, urls);
}

void set_urls(pg::Batch& batch, const model::Uuid& organization, const model::Uuid& campaign,
              const std::vector<std::string>& urls) {
  add_urls(batch, organization, campaign, urls);
  batch.add(sql::withdraw_others, organization, campaign, urls);
}

awaitable<std::vector<rendering::Url>> urls_of(pg::Pool& database, model::Uuid organization, model::Uuid campaign,
                                               std::vector<std::string> urls) {
  std::vector<rendering::Url> out;
  if (urls.empty()) co_return out;
  std::unordered_map<std::string, UrlRow> found;
  for (const bool added : {false, true}) {
    pg::Batch batch;
    if (added) add_urls(batch, organization, campaign, urls);
    batch.add(sql::urls_of, organization, campaign, urls);
    // Reads from the primary after a write, since a replica may lag.
    const auto results = added ? co_await database.write(std::move(batch)) : co_await database.read(std::move(batch));
    for (auto& row : results.rows<UrlRow>(added ? 1 : 0)) found.emplace(row.url, row);
    bool whole = true;
    for (const auto& url : urls) whole &= found.contains(url);
    if (whole) break;
  }
  for (const auto& url : urls) {
    const auto row = found.find(url);
    if (row == found.end()) throw std::runtime_error("a campaign's URL could not be added");
    out.push_back({url, row->second.id, row->second.secret});
  }
  co_return out;
}

void add_links(pg::Batch& batch, const model::Uuid& organization, const model::Uuid& campaign) {
  batch.add(sql::figures, organization, campaign);
}

}  // namespace parley::conversations::links

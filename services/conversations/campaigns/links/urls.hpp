#pragma once
#include <vector>

#include "common/chassis/environment.hpp"
#include "common/model/campaign.hpp"
#include "common/pg/pool.hpp"
#include "conversations/campaigns/links/code.hpp"
#include "conversations/campaigns/rendering/composition.hpp"

namespace parley::conversations::links {

using boost::asio::awaitable;

// Reads PARLEY_PUBLIC_URL, the gateway's public address and the prefix of links, without a trailing slash.
std::string read_public_url(chassis::Environment& environment);

// Gives new URLs a number and a secret. A URL keeps both as long as its organization exists.
void add_urls(pg::Batch& batch, const model::Uuid& organization, const model::Uuid& campaign,
              const std::vector<std::string>& urls);
// Adds the URLs of a campaign that starts, and withdraws those that its messages had before.
void set_urls(pg::Batch& batch, const model::Uuid& organization, const model::Uuid& campaign,
              const std::vector<std::string>& urls);
// Returns the URLs in the same order, and adds those that are new.
awaitable<std::vector<rendering::Url>> urls_of(pg::Pool& database, model::Uuid organization, model::Uuid campaign,
                                               std::vector<std::string> urls);

// Adds the statement that counts clicks on each of a campaign's links, in the order in which they were added. The
// statement belongs to the read lane; its rows are model::CampaignLink.
void add_links(pg::Batch& batch, const model::Uuid& organization, const model::Uuid& campaign);

}  // namespace parley::conversations::links

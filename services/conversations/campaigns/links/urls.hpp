#pragma once
#include <vector>

#include "common/chassis/environment.hpp"
#include "common/model/campaign.hpp"
#include "common/pg/pool.hpp"
#include "conversations/campaigns/links/code.hpp"
#include "conversations/campaigns/rendering/composition.hpp"

namespace parley::conversations::links {

using boost::asio::awaitable;

// PARLEY_PUBLIC_URL: the address under which the world reaches the gateway, without a slash at its end. Links begin
// with it.
std::string read_public_url(chassis::Environment& environment);

// Gives those of the URLs that have none yet their numbers and secrets. A URL keeps them for as long as there is the
// organization.
void add_urls(pg::Batch& batch, const model::Uuid& organization, const model::Uuid& campaign,
              const std::vector<std::string>& urls);
// They in the same order. Those that were not added before are added now.
awaitable<std::vector<rendering::Url>> urls_of(pg::Pool& database, model::Uuid organization, model::Uuid campaign,
                                               std::vector<std::string> urls);

// How often each of a campaign's links was followed, in the order in which they were added. The statement is of the
// read lane; its rows are model::CampaignLink.
void add_links(pg::Batch& batch, const model::Uuid& organization, const model::Uuid& campaign);

}  // namespace parley::conversations::links

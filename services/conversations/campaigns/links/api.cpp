#include "conversations/campaigns/links/api.hpp"

#include "conversations/campaigns/links/code.hpp"
#include "conversations/campaigns/links/visitors.hpp"

namespace parley::conversations::links {

Api::Api(chassis::Process& process, Destinations& destinations, Clicks& clicks)
    : destinations_(destinations), clicks_(clicks) {
  auto routes = process.pipeline().mount(*this);
  routes.get("/l/{code}", chassis::everybody(), &Api::follow);
}

// boost::urls::encode would encode a "%" again; what is encoded already must stay.
std::string location_of(std::string_view url) {
  constexpr std::string_view digits = "0123456789ABCDEF", refused = "\"<>\\^`{|}";
  std::string out;
  for (const char letter : url) {
    const auto octet = static_cast<unsigned char>(letter);
    if (octet > 0x20 && octet < 0x7F && refused.find(letter) == refused.npos)
      out += letter;
    else
      out.append({'%', digits[octet >> 4], digits[octet & 15]});
  }
  return out;
}

// Redirects only to URLs of the campaign's own message: no open redirect.
awaitable<http::Response> Api::follow(chassis::Call& call) {
  const auto code = Code::read(call.parameters.values[0]);
  std::shared_ptr<const Destination> destination;
  if (code) destination = co_await destinations_.find(code->url_id());
  if (!destination || !code->matches(destination->secret)) throw chassis::not_found("there is no such link");
  if (code->ordinal() > 0)
    co_await clicks_.take({.id = model::new_uuid(),
                           .organization_id = destination->organization_id,
                           .campaign_id = destination->campaign_id,
                           .url_id = code->url_id(),
                           .ordinal = code->ordinal(),
                           .at = model::Timestamp::now(),
                           .preview = is_preview(call.request)});
  http::Response response{.status = 302, .content_type = "", .head{}, .body{}, .stream{}, .stream_length{}};
  response.add("Location", location_of(destination->url));
  response.add("Cache-Control", "no-store");
  co_return response;
}

}  // namespace parley::conversations::links

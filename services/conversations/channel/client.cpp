#include "conversations/channel/client.hpp"

#include <algorithm>

#include "common/channel/problems.hpp"
#include "common/channel/requests.hpp"
#include "common/model/text.hpp"

namespace parley::conversations::channel {

using namespace std::chrono_literals;

namespace {

// In one process: at one second a response, enough for one number of 1,000 messages a second or a dozen of 80.
constexpr std::size_t kMessagesInFlight = 1024;
// Shorter than any server's idle timeout: a request written to a connection that the server is closing is in doubt.
constexpr auto kMessagesIdle = 15s;
constexpr std::size_t kOthersInFlight = 64;
constexpr std::uint64_t kMaxListLength = 16 << 20;
constexpr std::uint64_t kMaxMediaLength = 128 << 20;
constexpr auto kUploadTime = 60s;  // from the last octet sent to the response, and for each piece
constexpr auto kDownloadTime = 20s;
constexpr auto kSubmitTime = 10s;  // of a template
constexpr std::size_t kMaxIdLength = 256;
constexpr std::size_t kMaxSessionLength = 2048;
constexpr std::size_t kMaxWordsLength = 500;  // of a refusal
constexpr std::size_t kMaxPages = 100;
constexpr std::string_view kHow = "try again";

http::UpstreamSettings for_messages(const Settings& settings) {
  http::UpstreamSettings out;
  out.url = settings.url;
  out.connect_time = 3s;
  out.answer_time = settings.answer_time;
  out.idle_time = kMessagesIdle;
  out.in_flight = kMessagesInFlight;
  out.queue = kMessagesInFlight;
  out.idle = kMessagesInFlight / 4;
  out.answer_limit = 1 << 20;
  out.tls_ca_file = settings.tls_ca_file;
  out.abort_time = settings.answer_time;
  return out;
}

http::UpstreamSettings for_others(const Settings& settings, std::string url, std::uint64_t answer_limit) {
  http::UpstreamSettings out;
  out.url = std::move(url);
  out.connect_time = 3s;
  out.answer_time = settings.list_time;
  out.in_flight = kOthersInFlight;
  out.queue = kOthersInFlight;
  out.answer_limit = answer_limit;
  out.tls_ca_file = settings.tls_ca_file;
  return out;
}

// The id becomes part of a path.
bool is_media_id(std::string_view id) {
  return !id.empty() && id.size() <= kMaxIdLength && std::all_of(id.begin(), id.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-';
  });
}

// The name of an upload becomes a path: upload:MTp..?sig=ARZ..
bool is_session(std::string_view id) {
  constexpr std::string_view kMarks = ":_-.=?&%+/~";
  return id.starts_with("upload:") && id.size() <= kMaxSessionLength && id.find("..") == id.npos &&
         std::all_of(id.begin(), id.end(), [&](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                  kMarks.find(c) != kMarks.npos;
         });
}

// The body decides, not the status.
Outcome outcome_of(const http::ClientResponse& response, bool is_receipt) {
  using Kind = Outcome::Kind;
  const auto status = "status " + std::to_string(response.status);
  const auto answer = model::from_json<cloud_api::MessageResponse>(response.body);
  if (!answer) return {.kind = Kind::in_doubt, .error = status + " with an answer that makes no sense"};
  if (const auto error = cloud_api::read_error(answer->error, response.status)) {
    if (!error->is_refusal())
      return {.kind = Kind::in_doubt, .error = status + " with error " + std::to_string(error->code)};
    return {.kind = Kind::refused, .refusal = {error->code, error->text, reaction_to(*error)}};
  }
  if (response.status >= 200 && response.status < 300) {
    if (is_receipt && answer->success.value_or(false)) return {.kind = Kind::accepted};
    if (!is_receipt && answer->messages && !answer->messages->empty() &&
        !answer->messages->front().id.value_or("").empty())
      return {.kind = Kind::accepted, .channel_message_id = *answer->messages->front().id};
  }
  return {.kind = Kind::in_doubt, .error = status + (is_receipt ? " without success" : " without a message id")};
}

// Wraps a medium in a multipart form (RFC 7578).
class Form final : public http::BodySource {
 public:
  Form(std::string_view mime_type, http::BodySource& content) : content_(content) {
    const auto boundary = "parley-" + model::new_uuid().text();
    const auto part = "--" + boundary + "\r\nContent-Disposition: form-data; name=";
    before_.append(part).append("\"messaging_product\"\r\n\r\nwhatsapp\r\n");
    before_.append(part).append("\"type\"\r\n\r\n").append(mime_type).append("\r\n");
    before_.append(part).append("\"file\"; filename=\"media\"\r\nContent-Type: ").append(mime_type).append("\r\n\r\n");
    after_ = "\r\n--" + boundary + "--\r\n";
    type_ = "Content-Type: multipart/form-data; boundary=" + boundary + "\r\n";
  }
  const std::string& type() const { return type_; }
  std::uint64_t size_with(std::uint64_t content) const { return before_.size() + content + after_.size(); }

  awaitable<std::string_view> next() override {
    if (stage_ == Stage::before) {
      stage_ = Stage::content;
      co_return before_;
    }
    if (stage_ == Stage::content) {
      const auto piece = co_await content_.next();
      if (!piece.empty()) co_return piece;
      stage_ = Stage::end;
      co_return after_;
    }
    co_return std::string_view{};
  }

 private:
  enum class Stage { before, content, end };
  http::BodySource& content_;
  std::string before_, after_, type_;
  Stage stage_ = Stage::before;
};

}  // namespace

Settings Settings::read(chassis::Environment& environment) {
  Settings out;
  out.url = environment.url("PARLEY_CHANNEL_URL");
  out.tls_ca_file = environment.text("PARLEY_CHANNEL_CA_FILE", "");
  const auto urls = environment.text("PARLEY_CHANNEL_MEDIA_URLS", "https://lookaside.fbsbx.com");
  if (!http::is_upstream_url(urls))
    environment.fault("PARLEY_CHANNEL_MEDIA_URLS", "must be http or https URLs with commas between them");
  for (std::size_t at = 0; at <= urls.size();) {
    const auto comma = std::min(urls.find(',', at), urls.size());
    out.media_urls.push_back(urls.substr(at, comma - at));
    at = comma + 1;
  }
  return out;
}

Client::Client(chassis::Process& process, const Settings& settings)
    : log_(process.log()),
      tracer_(process.tracer()),
      messages_(process.context(), process.wheel(), for_messages(settings)),
      rest_(process.context(), process.wheel(), for_others(settings, settings.url, kMaxListLength)) {
  process.watch("channel", messages_.upstream());
  process.watch("channel-rest", rest_.upstream());
  const auto add = [&](const std::string& url) {
    auto host =
        std::make_unique<http::Client>(process.context(), process.wheel(), for_others(settings, url, kMaxMediaLength));
    const auto scheme = url.substr(0, url.find(':'));
    media_hosts_.push_back({scheme + "://" + host->upstream().host(), std::move(host)});
    process.watch("channel-media-" + std::to_string(media_hosts_.size()), media_hosts_.back().client->upstream());
  };
  const auto& own = settings.url;
  add(own.substr(0, std::min(own.find('/', own.find("://") + 3), own.size())));
  for (const auto& url : settings.media_urls) add(url);
}

awaitable<Outcome> Client::post(http::ClientRequest request, bool is_receipt) {
  tracer_.follow(request, messages_.upstream());
  try {
    co_return outcome_of(co_await messages_.send(std::move(request)), is_receipt);
  } catch (const http::Unreachable& unreachable) {
    using Kind = Outcome::Kind;
    co_return Outcome{.kind = unreachable.sent_nothing ? Kind::not_sent : Kind::in_doubt, .error = unreachable.what()};
  }
}

awaitable<Outcome> Client::send(const Account& account, std::string body) {
  return post(cloud_api::send_message(account.phoneNumberId, account.accessToken, std::move(body)), false);
}

awaitable<Outcome> Client::mark_read(const Account& account, std::string channel_message_id) {
  return post(cloud_api::mark_read(account.phoneNumberId, account.accessToken, channel_message_id), true);
}

void Client::give_up(http::Problem problem, std::string_view error) {
  log_.warn(problem.detail).with("error", error);
  throw problem;
}

void Client::throw_unreachable(const http::Unreachable& unreachable) {
  give_up(cloud_api::unreachable(unreachable, kHow), unreachable.what());
}

void Client::throw_refusal(unsigned status, std::string_view body) {
  const auto told = "status " + std::to_string(status);
  const auto error = cloud_api::read_error(body, status);
  if (!error && status >= 500) give_up(cloud_api::later("is out of order", 5, kHow), told);
  if (!error) give_up(cloud_api::no_use("gave an answer that makes no sense"), told);
  const auto code = "error " + std::to_string(error->code);
  if (error->meaning == cloud_api::ErrorClass::access)
    give_up(cloud_api::no_use("refuses what the account was connected with: connect it again"), code);
  if (error->is_temporary()) give_up(cloud_api::later("cannot do this now", 30, kHow), code);
  give_up(cloud_api::no_use("refuses: " + error->text), code);
}

awaitable<http::ClientResponse> Client::call(http::ClientRequest request) {
  tracer_.follow(request, rest_.upstream());
  try {
    co_return co_await rest_.send(std::move(request));
  } catch (const http::Unreachable& unreachable) {
    throw_unreachable(unreachable);
  }
}

template <class Answer>
Answer Client::read_answer(const http::ClientResponse& response) {
  if (response.status != 200) throw_refusal(response.status, response.body);
  auto answer = model::from_json<Answer>(response.body);
  if (!answer) give_up(cloud_api::no_use("gave an answer that makes no sense"), "status 200");
  return std::move(*answer);
}

template <class Answer, class Page>
awaitable<Answer> Client::list(Page page) {
  Answer all;
  std::string after;
  for (std::size_t pages = 0; pages < kMaxPages; ++pages) {
    auto answer = read_answer<Answer>(co_await call(page(after)));
    std::move(answer.data.begin(), answer.data.end(), std::back_inserter(all.data));
    if (!answer.paging || !answer.paging->next || !answer.paging->cursors) break;
    after = answer.paging->cursors->after.value_or("");
    if (after.empty()) break;
  }
  co_return all;
}

template <class Page>
awaitable<std::vector<Template>> Client::list_templates(Page page) {
  auto listed = co_await list<cloud_api::TemplatesResponse>(page);
  std::vector<Template> out;
  for (auto& item : listed.data) {
    if (!item.id || !item.name || !item.language) continue;
    auto components = item.components.value_or(model::RawJson{"[]"});
    auto reason = item.rejected_reason.value_or("");
    if (reason == "NONE") reason.clear();
    auto quality = item.quality_score ? item.quality_score->score.value_or("") : "";
    if (quality.empty()) quality = "UNKNOWN";
    out.push_back({std::move(*item.id), std::move(*item.name), std::move(*item.language), item.category.value_or(""),
                   item.status.value_or(""), std::move(components), std::move(reason), std::move(quality)});
  }
  co_return out;
}

awaitable<std::vector<Template>> Client::templates(const Account& account) {
  co_return co_await list_templates([&account](std::string_view after) {
    return cloud_api::list_templates(account.businessAccountId, account.accessToken, after);
  });
}

awaitable<std::vector<Template>> Client::templates_named(const Account& account, std::string name) {
  auto found = co_await list_templates([&](std::string_view after) {
    return cloud_api::find_templates(account.businessAccountId, account.accessToken, name, after);
  });
  std::erase_if(found, [&](const Template& each) { return each.name != name; });
  co_return found;
}

awaitable<Submission> Client::create_template(const Account& account, std::string body) {
  return submit(cloud_api::create_template(account.businessAccountId, account.accessToken, std::move(body)));
}

awaitable<Submission> Client::edit_template(const Account& account, std::string id, std::string body) {
  return submit(cloud_api::edit_template(id, account.accessToken, std::move(body)));
}

awaitable<Submission> Client::delete_template(const Account& account, std::string name, std::string id) {
  return submit(cloud_api::delete_template(account.businessAccountId, account.accessToken, name, id));
}

awaitable<Submission> Client::submit(http::ClientRequest request) {
  using Kind = Submission::Kind;
  request.answer_time = kSubmitTime;
  tracer_.follow(request, rest_.upstream());
  http::ClientResponse response;
  try {
    response = co_await rest_.send(std::move(request));
  } catch (const http::Unreachable& unreachable) {
    if (unreachable.sent_nothing) throw_unreachable(unreachable);
    co_return Submission{.kind = Kind::in_doubt, .text = unreachable.what()};
  }
  const auto status = "status " + std::to_string(response.status);
  const auto answer = model::from_json<cloud_api::SubmissionResponse>(response.body);
  if (const auto error = cloud_api::read_error(response.body, response.status)) {
    if (!error->is_refusal()) co_return Submission{.kind = Kind::in_doubt, .text = status};
    const bool is_of_template = !error->is_temporary() && (error->meaning == cloud_api::ErrorClass::rejected ||
                                                           error->meaning == cloud_api::ErrorClass::unlisted);
    if (!is_of_template) throw_refusal(response.status, response.body);
    const auto more = answer && answer->error ? *answer->error : cloud_api::SubmissionError{};
    auto text = std::string(model::first_octets(more.error_user_msg.value_or(""), kMaxWordsLength));
    if (text.empty()) text = error->text;
    co_return Submission{.kind = Kind::refused, .text = std::move(text), .subcode = more.error_subcode.value_or(0)};
  }
  if (response.status != 200 || !answer || (!answer->id && !answer->success.value_or(false)))
    co_return Submission{.kind = Kind::in_doubt, .text = status + " with an answer that makes no sense"};
  co_return Submission{.kind = Kind::accepted,
                       .id = answer->id.value_or(""),
                       .status = answer->status.value_or(""),
                       .category = answer->category.value_or("")};
}

// Older versions of the channel refuse the whole list if a requested field is unknown to them.
awaitable<cloud_api::PhoneNumbersResponse> Client::list_numbers(const Account& account) {
  bool with_limit = true;
  const auto page = [&account, &with_limit](std::string_view after) {
    return cloud_api::list_phone_numbers(account.businessAccountId, account.accessToken, with_limit, after);
  };
  try {
    co_return co_await list<cloud_api::PhoneNumbersResponse>(page);
  } catch (const http::Problem& problem) {
    if (problem.status != 502) throw;
  }
  with_limit = false;
  co_return co_await list<cloud_api::PhoneNumbersResponse>(page);
}

awaitable<std::vector<PhoneNumber>> Client::phone_numbers(const Account& account) {
  auto listed = co_await list_numbers(account);
  std::vector<PhoneNumber> out;
  for (auto& item : listed.data) {
    if (!item.id) continue;
    const auto level = item.throughput ? item.throughput->level.value_or("") : "";
    out.push_back({std::move(*item.id), item.display_phone_number.value_or(""), item.verified_name.value_or(""),
                   item.quality_rating.value_or(""), level, item.platform_type == "CLOUD_API",
                   item.whatsapp_business_manager_messaging_limit.value_or("")});
  }
  co_return out;
}

awaitable<std::string> Client::upload(const Account& account, std::string_view mime_type, std::uint64_t size,
                                      http::BodySource& content) {
  Form form(mime_type, content);
  auto request = cloud_api::upload_media(account.phoneNumberId, account.accessToken);
  request.head += form.type();
  request.source = &form;
  request.source_size = form.size_with(size);
  request.answer_time = kUploadTime;
  auto answer = read_answer<cloud_api::IdResponse>(co_await call(std::move(request)));
  co_return std::move(answer.id);
}

// A handle that nobody uses is of no consequence: what fails is begun anew.
awaitable<std::string> Client::upload_example(const Account& account, std::string_view mime_type, std::uint64_t size,
                                              http::BodySource& content) {
  auto session =
      read_answer<cloud_api::IdResponse>(co_await call(cloud_api::begin_upload(account.accessToken, mime_type, size)));
  if (!is_session(session.id)) give_up(cloud_api::no_use("gave an upload a strange name"), "status 200");
  auto request = cloud_api::upload_octets(session.id, account.accessToken);
  request.source = &content;
  request.source_size = size;
  request.answer_time = kUploadTime;
  auto answer = read_answer<cloud_api::HandleResponse>(co_await call(std::move(request)));
  co_return std::move(answer.h);
}

awaitable<std::optional<MediaLocation>> Client::find_media(const Account& account, std::string id) {
  if (!is_media_id(id)) co_return std::nullopt;
  const auto response = co_await call(cloud_api::find_media(id, account.phoneNumberId, account.accessToken));
  // The channel reports an unknown, expired or foreign id as a bad parameter.
  using cloud_api::ErrorClass;
  const auto error = cloud_api::read_error(response.body, response.status);
  if (error && !error->is_temporary() &&
      (error->meaning == ErrorClass::rejected || error->meaning == ErrorClass::unlisted))
    co_return std::nullopt;
  auto media = read_answer<cloud_api::MediaResponse>(response);
  MediaLocation out{std::move(media.url), media.mime_type.value_or(""), media.sha256.value_or("")};
  if (media.file_size.value_or(0) > 0) out.size = static_cast<std::uint64_t>(*media.file_size);
  co_return out;
}

awaitable<std::unique_ptr<http::Exchange>> Client::download(const Account& account, std::string url) {
  const auto host = std::find_if(media_hosts_.begin(), media_hosts_.end(), [&](const MediaHost& known) {
    return url.starts_with(known.origin) && url.substr(known.origin.size(), 1) == "/";
  });
  // Never send the token to another host, nor what could be more than one line.
  const bool is_one_word = std::ranges::all_of(url, [](char c) { return c > ' ' && c < 127; });
  if (host == media_hosts_.end() || !is_one_word)
    give_up(cloud_api::no_use("says that this lies where it has no media"),
            std::string_view(url).substr(0, url.find('/', url.find("//") + 2)));
  auto request = cloud_api::download_media(url.substr(host->origin.size()), account.accessToken);
  request.answer_time = kDownloadTime;
  tracer_.follow(request, host->client->upstream());
  std::unique_ptr<http::Exchange> exchange;
  try {
    exchange = co_await host->client->open(std::move(request));
  } catch (const http::Unreachable& unreachable) {
    throw_unreachable(unreachable);
  }
  if (exchange->status() == 404 || exchange->status() == 410) co_return nullptr;
  if (exchange->status() != 200) throw_refusal(exchange->status(), "");
  co_return exchange;
}

}  // namespace parley::conversations::channel

#include "conversations/channel/media/api.hpp"

#include "common/chassis/change.hpp"
#include "common/http/etag.hpp"
#include "common/http/form.hpp"
#include "common/http/query.hpp"
#include "common/http/range.hpp"
#include "common/model/text.hpp"
#include "conversations/channel/media/hashed.hpp"

namespace parley::conversations::media {

using identity::Permission;

Api::Api(chassis::Process& process, Store& store, Files& files, channel::Accounts& accounts, channel::Client& channel)
    : store_(store), files_(files), accounts_(accounts), channel_(channel) {
  auto routes = process.pipeline().mount(*this);
  routes.post("/api/messages/media", Permission::create_message, &Api::upload);
  routes.get("/api/messages/{id}/media", Permission::get_message, &Api::download);
  routes.post("/api/organization/template-media", Permission::update_app_settings, &Api::upload_example);
  for (const auto* path : {"/api/messages/media", "/api/organization/template-media"})
    process.limits().streamed.emplace_back(path);
}

namespace {

// A file to be uploaded: the body itself, or the file of a form.
struct File {
  const Kind* kind = nullptr;
  std::uint64_t size = 0;
  http::BodySource* content = nullptr;
  std::unique_ptr<http::FormFile> of_form{};
};

void check(const http::Request& request) {
  const auto coding = request.field("Content-Encoding");
  if (!coding.empty() && !model::equals_ignoring_case(coding, "identity"))
    throw http::Problem(
        {.status = 415, .detail = "the body must not be compressed", .head = "Accept-Encoding: identity\r\n"});
  if (!request.has_body) throw http::Problem({.status = 400, .detail = "the body is missing: the file is expected"});
  if (!request.content_length)
    throw http::Problem({.status = 411, .detail = "a file needs a Content-Length: the channel takes none without"});
}

const Kind& kind_of(std::string_view content_type, std::uint64_t size) {
  const auto* const kind = find_kind(content_type);
  if (!kind)
    throw http::Problem(
        {.status = 415, .detail = "the Content-Type must be what the channel takes: " + std::string(known_kinds())});
  if (size > kind->most)
    throw http::Problem({.status = 413,
                         .detail = "a file of type " + std::string(kind->mime_type) + " may have at most " +
                                   std::to_string(kind->most) + " octets"});
  return *kind;
}

// Headers of templates may show fewer types than messages may have.
void check_of_template(const Kind& kind) {
  if (!kind.of_templates)
    throw http::Problem(
        {.status = 415, .detail = "a template's header may show image/jpeg, image/png, video/mp4 or application/pdf"});
}

awaitable<File> file_of(http::Request& request) {
  check(request);
  const auto type = request.field("Content-Type");
  const auto boundary = http::form_boundary(type);
  if (boundary.empty())
    co_return File{&kind_of(type, *request.content_length), *request.content_length, request.body_source};
  auto form = std::make_unique<http::FormFile>(*request.body_source, boundary);
  co_await form->begin();
  const auto size = form->expect_size_in(*request.content_length);
  if (size == 0) throw http::Problem({.status = 400, .detail = "the form's file is empty"});
  File file{&kind_of(form->content_type(), size), size, form.get()};
  file.of_form = std::move(form);
  co_return file;
}

http::Problem no_media() { return chassis::not_found("there is no message with this id that has a file"); }

constexpr std::size_t kMaxFileName = 255;  // octets of a name that are given; each may become three

// RFC 6266. The sender chose the name: all but the plainest characters are encoded (RFC 8187).
std::string disposition(bool inert, const std::string& file_name) {
  std::string out = inert ? "inline" : "attachment";
  if (file_name.empty()) return out;
  out += "; filename*=UTF-8''";
  http::append_encoded(out, model::first_octets(file_name, kMaxFileName));
  return out;
}

// Why a file is neither here nor with the channel.
std::string gone_words(std::optional<Reason> reason) {
  std::string out = "the channel does not have this file any more, and no copy is kept: ";
  if (!reason)
    return out +
           "it came before copies were made, was sent to many or came from a blocked contact, or is not copied yet";
  switch (*reason) {
    case Reason::Gone:
      return out + "the channel did not have it when it was to be copied";
    case Reason::OverBound:
      return out + "the organization had no room left for it (the quota media-mib)";
    case Reason::Expired:
      return out + "its time was over";
    case Reason::Unavailable:
      break;
  }
  return out + "it could not be copied while the channel had it";
}

// What every answer with a file has, so that browsers neither run anything in it nor guess what it is.
http::Response file_response(const std::string& type, const std::string& file_name) {
  const auto* const kind = find_kind(type);
  http::Response response;
  response.content_type = {};
  response.add("Content-Type", type);
  response.add("Content-Disposition", disposition(kind && kind->inert, file_name));
  response.add("X-Content-Type-Options", "nosniff");
  response.add("Content-Security-Policy", "default-src 'none'; sandbox");
  response.add("Cross-Origin-Resource-Policy", "same-site");
  return response;
}

}  // namespace

awaitable<std::shared_ptr<const channel::Account>> Api::account_of(chassis::Call& call) {
  auto account = co_await accounts_.of_organization(call.organization());
  if (!account) throw http::Problem({.status = 409, .detail = "connect a messaging business account first"});
  co_return account;
}

// A repeated request uploads again, which costs nothing lasting: the channel drops media after 30 days.
awaitable<http::Response> Api::upload(chassis::Call& call, chassis::Change& change) {
  const auto file = co_await file_of(call.request);
  const auto account = co_await account_of(call);
  Hashed content(*file.content);
  auto id = co_await channel_.upload(*account, file.kind->mime_type, file.size, content);
  change.identify_body(content.hash());
  UploadedResponse answer{{std::move(id), std::string(file.kind->mime_type), static_cast<std::int64_t>(file.size)}};
  co_return http::json_response(answer, 201);
}

// As above: the channel forgets a handle that no template was made with.
awaitable<http::Response> Api::upload_example(chassis::Call& call, chassis::Change& change) {
  const auto file = co_await file_of(call.request);
  check_of_template(*file.kind);
  const auto account = co_await account_of(call);
  Hashed content(*file.content);
  auto handle = co_await channel_.upload_example(*account, file.kind->mime_type, file.size, content);
  change.identify_body(content.hash());
  ExampleResponse answer{{std::move(handle), std::string(file.kind->mime_type), static_cast<std::int64_t>(file.size)}};
  co_return http::json_response(answer, 201);
}

awaitable<http::Response> Api::download(chassis::Call& call) {
  const auto found = co_await store_.find(call.organization(), call.id());
  if (!found) throw no_media();
  if (found->media_id.value_or("").empty())
    throw chassis::not_found("this message's file is where its messageData.link says");
  if (found->place)
    if (auto response = co_await show_copy(call, *found)) co_return std::move(*response);
  co_return co_await show_original(call, *found);
}

awaitable<std::optional<http::Response>> Api::show_copy(chassis::Call& call, const FoundRow& found) {
  const auto size = static_cast<std::uint64_t>(found.octets.value_or(0));
  const auto tag = '"' + found.sha256.value_or("") + '"';
  auto response = file_response(found.mime_type.value_or(""), found.file_name.value_or(""));
  response.add("ETag", tag);
  response.add("Cache-Control", "private, no-cache");
  response.add("Accept-Ranges", "bytes");
  if (http::names_tag(call.request, tag)) {
    response.status = 304;
    co_return response;
  }
  const auto range = http::choose_range(call.request, size, tag);
  const bool is_part = range.kind == http::Range::Kind::part;
  if (range.kind == http::Range::Kind::unsatisfiable)
    throw http::Problem({.status = 416,
                         .detail = "the file has " + std::to_string(size) + " octets: Range asks for none of them",
                         .head = "Content-Range: " + http::content_range(range, size) + "\r\n"});
  const auto length = is_part ? range.length : size;
  auto file =
      std::make_shared<KeptFile>(files_, *found.place, FileKey{call.organization(), call.id()}, range.first, length);
  if (call.request.method != http::Method::head && !co_await file->begin()) co_return std::nullopt;
  if (is_part) {
    response.status = 206;
    response.add("Content-Range", http::content_range(range, size));
  }
  response.stream_length = length;
  response.stream = std::move(file);
  co_return response;
}

awaitable<http::Response> Api::show_original(chassis::Call& call, const FoundRow& found) {
  const auto account = co_await account_of(call);
  const auto place = co_await channel_.find_media(*account, *found.media_id);
  std::unique_ptr<http::Exchange> file;
  if (place) file = co_await channel_.download(*account, place->url);
  if (!file) throw http::Problem({.status = 410, .detail = gone_words(found.reason)});

  auto response = file_response(type_of(file->fields(), place->mime_type), found.file_name.value_or(""));
  response.stream_length = file->content_length();
  response.stream = std::move(file);
  co_return response;
}

}  // namespace parley::conversations::media

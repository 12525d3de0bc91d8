// The part of Graph for files.
#include <boost/json/parse.hpp>

#include "tests/simulator/graph.hpp"
#include "tests/simulator/signing.hpp"

namespace parley::simulator {

namespace json = boost::json;

namespace {

// Streams a file without copying it for slow readers.
class FileSource final : public http::BodySource {
 public:
  explicit FileSource(std::shared_ptr<const std::string> octets) : octets_(std::move(octets)) {}
  awaitable<std::string_view> next() override {
    const auto out = std::string_view(*octets_).substr(at_, 64 * 1024);
    at_ += out.size();
    co_return out;
  }

 private:
  std::shared_ptr<const std::string> octets_;
  std::size_t at_ = 0;
};

}  // namespace

http::Response Graph::upload(const Call& call) {
  if (!state_.numbers.contains(call.id)) return unknown_object(call.id);
  const auto upload = read_upload(call.content_type, call.body);
  if (!upload || !upload->has_file) throw Refusal{100, "The parameter file is required."};
  if (upload->messaging_product != "whatsapp") throw Refusal{100, "The parameter messaging_product is required."};
  if (upload->type.empty()) throw Refusal{100, "The parameter type is required."};
  if (const auto refusal = refusal_of_media(upload->type, upload->file.size())) throw Refusal{100, *refusal};
  return graph_answer({{"id", state_.media.add(upload->type, std::string(upload->file)).id}});
}

std::string Graph::media_hash(std::string_view id, std::string_view until) const {
  return sign(state_.settings.app_secret, std::string(id) + " " + std::string(until)).substr(0, 32);
}

http::Response Graph::show_media(const Call& call, const Media& media) {
  const auto until = std::to_string(now_ms() / 1000 + state_.behaviour.media_seconds);
  return graph_answer({{"messaging_product", "whatsapp"},
                       {"url", "http://" + std::string(call.host) + "/whatsapp_business/attachments/?mid=" + media.id +
                                   "&ext=" + until + "&hash=" + media_hash(media.id, until)},
                       {"mime_type", media.mime_type},
                       {"sha256", to_hex(sha256(*media.octets))},
                       {"file_size", media.octets->size()},
                       {"id", media.id}});
}

http::Response Graph::download(const Call& call) {
  const auto id = call.parameter("mid"), until = call.parameter("ext");
  const auto* media = state_.media.find(id);
  const bool is_ours = call.parameter("hash") == media_hash(id, until);
  http::Response response;
  response.content_type = "";
  if (!media || !is_ours || std::strtoll(std::string(until).c_str(), nullptr, 10) <= now_ms() / 1000) {
    response.status = 404;
    return response;
  }
  response.add("Content-Type", media->mime_type);
  response.stream = std::make_shared<FileSource>(media->octets);
  response.stream_length = media->octets->size();
  return response;
}

http::Response Graph::delete_object(const Call& call) {
  if (!state_.media.remove(call.id)) return unknown_object(call.id);
  return graph_answer({{"success", true}});
}

}  // namespace parley::simulator

#include "common/http/message_reader.hpp"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/error.hpp>
#include <charconv>
#include <cstring>

#include "common/model/text.hpp"

namespace parley::http {

namespace beast_http = boost::beast::http;

namespace {

constexpr std::size_t kFirstRead = 4096;
constexpr std::size_t kBodyWindow = 64 * 1024;  // also bounds what a chunk's extensions and the trailers may take

std::string_view view(boost::beast::string_view text) { return {text.data(), text.size()}; }

Method method_of(std::string_view name) {
  for (const auto method : {Method::get, Method::head, Method::post, Method::put, Method::patch, Method::del, Method::options})
    if (name_of(method) == name) return method;
  return Method::other;
}

// Beast joins folded lines with a space; RFC 9112 5.2 lets a server refuse them, and two readers of one head must not
// differ.
bool has_folded_line(std::string_view head) {
  for (auto at = head.find("\r\n"); at != head.npos; at = head.find("\r\n", at + 2))
    if (at + 2 < head.size() && (head[at + 2] == ' ' || head[at + 2] == '\t')) return true;
  return false;
}

}  // namespace

void Head::clear() {
  method = Method::other;
  target = {};
  status = 0;
  version = 11;
  field_count = 0;
  keep_alive = true;
  chunked = false;
  content_length.reset();
}

template <bool is_request>
void MessageReader<is_request>::Parser::on_request_impl(beast_http::verb, text method, text target, int version,
                                                         error_code&) {
  head.method = method_of(view(method));
  head.target = view(target);
  head.version = version;
}

template <bool is_request>
void MessageReader<is_request>::Parser::on_response_impl(int status, text, int version, error_code&) {
  head.status = static_cast<unsigned>(status);
  head.version = version;
}

template <bool is_request>
void MessageReader<is_request>::Parser::on_field_impl(beast_http::field, text name, text value, error_code&) {
  if (head.field_count == kMaxFields)
    too_many_fields = true;
  else
    head.field_array[head.field_count++] = {view(name), view(value)};
}

template <bool is_request>
std::size_t MessageReader<is_request>::Parser::on_body_impl(text body, error_code&) {
  piece = view(body);
  return body.size();
}

template <bool is_request>
std::size_t MessageReader<is_request>::Parser::on_chunk_body_impl(std::uint64_t, text body, error_code&) {
  piece = view(body);
  return body.size();
}

template <bool is_request>
MessageReader<is_request>::MessageReader(const ReaderLimits& limits) : limits_(limits), buffer_(kFirstRead) {
  next_message();
}

template <bool is_request>
void MessageReader<is_request>::next_message() {
  floor_ = 0;
  head_.clear();
  parser_.emplace(head_);
  parser_->header_limit(static_cast<std::uint32_t>(limits_.head));
  parser_->body_limit(limits_.body);
  fault_status_ = 0;
}

template <bool is_request>
std::span<char> MessageReader<is_request>::space() {
  if (begin_ == end_) {
    begin_ = end_ = floor_;
  } else if (begin_ > floor_ && end_ == buffer_.size()) {
    std::memmove(buffer_.data() + floor_, buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_ - floor_;
    begin_ = floor_;
  }
  // Growing moves the buffer, which a head's slices do not survive: they are cut again from the parser's offsets.
  if (end_ == buffer_.size() || (floor_ > 0 && buffer_.size() - end_ < kFirstRead)) {
    const char* const old = buffer_.data();
    buffer_.resize(floor_ > 0 ? floor_ + kBodyWindow : std::min(buffer_.size() * 2, limits_.head + kFirstRead));
    const auto move = [&](std::string_view& slice) {
      if (!slice.empty()) slice = {buffer_.data() + (slice.data() - old), slice.size()};
    };
    if (floor_ > 0) {
      move(head_.target);
      for (auto& field : std::span(head_.field_array.data(), head_.field_count)) {
        move(field.name);
        move(field.value);
      }
    }
  }
  return {buffer_.data() + end_, buffer_.size() - end_};
}

template <bool is_request>
auto MessageReader<is_request>::step() -> Step {
  if (fault_status_ != 0) return Step::fault;
  if (parser_->is_done()) return Step::done;
  if (begin_ == end_) return Step::need_more;
  const bool in_head = !parser_->is_header_done();
  if (in_head && begin_ > 0) {  // a head is read from the buffer's front
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  for (;;) {
    parser_->piece = {};
    boost::beast::error_code error;
    begin_ += parser_->put(boost::asio::buffer(buffer_.data() + begin_, end_ - begin_), error);
    if (error) return judge(error);
    if (in_head) {
      if (parser_->is_header_done()) return finish_head();
    } else if (!parser_->piece.empty()) {
      return Step::body;
    }
    if (parser_->is_done()) return Step::done;
    if (begin_ == end_) return Step::need_more;
  }
}

template <bool is_request>
auto MessageReader<is_request>::judge(boost::beast::error_code error) -> Step {
  using beast_http::error;
  if (error == beast_http::error::need_more) {
    const std::size_t window = parser_->is_header_done() ? kBodyWindow : limits_.head;
    if (end_ - begin_ < window) return Step::need_more;
    return parser_->is_header_done() ? refuse(400, "bad_chunk") : refuse(431, "head_too_large");
  }
  if (error == beast_http::error::header_limit) return refuse(431, "head_too_large");
  if (error == beast_http::error::body_limit) return refuse(413, "body_too_large");
  return refuse(400, "bad_syntax");
}

template <bool is_request>
auto MessageReader<is_request>::finish_head() -> Step {
  floor_ = begin_;
  Head& head = head_;
  if (parser_->too_many_fields || head.field_count > limits_.fields) return refuse(431, "too_many_fields");
  if (head.target.size() > limits_.target) return refuse(414, "target_too_long");
  if (has_folded_line({buffer_.data(), floor_})) return refuse(400, "folded_line");
  if (const auto status = framing_fault()) return refuse(status, "bad_framing");
  head.keep_alive = parser_->keep_alive();
  head.chunked = parser_->chunked();
  if (const auto length = parser_->content_length()) head.content_length = *length;
  return Step::head;
}

// RFC 9112 3.2 and 6.1-6.3, as far as Beast 1.81 does not hold to them: two readers that frame one message differently
// are how requests are smuggled.
template <bool is_request>
unsigned MessageReader<is_request>::framing_fault() const {
  const Head& head = head_;
  std::size_t hosts = 0, lengths = 0, codings = 0;
  std::string_view length, coding;
  for (const auto& [name, value] : head.fields()) {
    if (model::equals_ignoring_case(name, "Host")) {
      ++hosts;
    } else if (model::equals_ignoring_case(name, "Content-Length")) {
      ++lengths;
      length = value;
    } else if (model::equals_ignoring_case(name, "Transfer-Encoding")) {
      ++codings;
      coding = value;
    }
  }
  if (is_request && (hosts > 1 || (hosts == 0 && head.version == 11))) return 400;
  if (lengths > 1 || codings > 1 || (lengths > 0 && codings > 0)) return 400;
  if (lengths > 0 && (length.empty() || length.size() > 15 || length.find_first_not_of("0123456789") != length.npos))
    return 400;
  if (codings > 0 && head.version != 11) return 400;
  if (codings > 0 && !model::equals_ignoring_case(coding, "chunked")) {
    const bool ends_chunked = coding.size() > 7 && model::equals_ignoring_case(coding.substr(coding.size() - 7), "chunked");
    return ends_chunked && coding.find(',') != coding.npos ? 400 : 501;
  }
  return 0;
}

template <bool is_request>
auto MessageReader<is_request>::end_of_stream() -> Step {
  if (parser_->is_done()) return Step::done;
  if (!parser_->got_some()) return refuse(400, "closed");
  boost::beast::error_code error;
  parser_->put_eof(error);
  return error ? refuse(400, "closed") : Step::done;
}

template <bool is_request>
auto MessageReader<is_request>::refuse(unsigned status, std::string_view reason) -> Step {
  fault_status_ = status;
  fault_reason_ = reason;
  return Step::fault;
}

template class MessageReader<true>;
template class MessageReader<false>;

}  // namespace parley::http

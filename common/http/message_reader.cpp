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

constexpr std::size_t kMinRoom = 1024;
constexpr std::size_t kLastChunk = 5;  // shortest last chunk: 0 CR LF CR LF
// Small, as each pending body may need one; also bounds a chunk's extensions and the trailers.
constexpr std::size_t kBodyWindow = 16 * 1024;

std::string_view view(boost::beast::string_view text) { return {text.data(), text.size()}; }

Method method_of(std::string_view name) {
  for (const auto method :
       {Method::get, Method::head, Method::post, Method::put, Method::patch, Method::del, Method::options})
    if (name_of(method) == name) return method;
  return Method::other;
}

// Reserves exactly: resize() alone may allocate twice as much.
void grow(std::vector<char>& buffer, std::size_t size) {
  buffer.reserve(size);
  buffer.resize(size);
}

// RFC 3986 allows no other characters, and non-ASCII octets would break the UTF-8 of responses and logs.
bool is_printable(std::string_view target) {
  return std::all_of(target.begin(), target.end(), [](char c) { return c > 0x20 && c < 0x7F; });
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
  streamed = false;
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
  if (this->is_header_done()) return;  // a trailer: ignored, as it must not pass for a field of the head
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
MessageReader<is_request>::MessageReader(const ReaderLimits& limits)
    : limits_(limits), head_buffer_(limits.first_read) {
  next_message();
}

template <bool is_request>
void MessageReader<is_request>::next_message() {
  const std::size_t left = end_ - begin_;
  if (left > head_buffer_.size()) grow(head_buffer_, left);
  if (left > 0) std::memmove(head_buffer_.data(), buffer_->data() + begin_, left);
  if (head_buffer_.size() > limits_.first_read && left <= limits_.first_read) {
    head_buffer_.resize(limits_.first_read);
    head_buffer_.shrink_to_fit();
  }
  buffer_ = &head_buffer_;
  std::vector<char>().swap(body_buffer_);  // an assignment would keep the memory
  begin_ = scanned_ = line_ = floor_ = 0;
  end_ = left;
  head_.clear();
  parser_.emplace(head_);
  parser_->header_limit(static_cast<std::uint32_t>(limits_.head));
  parser_->body_limit(boost::none);  // until the head tells the limit
  fault_status_ = 0;
  starved_ = false;
}

// A complete head stays in place until the message ends. Its body follows it or, if room is short, gets its own buffer.
template <bool is_request>
std::span<char> MessageReader<is_request>::space() {
  if (floor_ == 0) {
    if (end_ == buffer_->size()) grow(*buffer_, std::min(end_ * 2, limits_.head + limits_.first_read));
  } else {
    const std::size_t front = buffer_ == &head_buffer_ ? floor_ : 0;
    if (begin_ == end_) begin_ = end_ = front;
    if (buffer_ == &head_buffer_ && buffer_->size() - end_ < kMinRoom) {
      body_buffer_.resize(kBodyWindow);
      move_unread(body_buffer_, 0);
    } else if (end_ == buffer_->size()) {
      move_unread(*buffer_, front);
    }
  }
  return {buffer_->data() + end_, buffer_->size() - end_};
}

template <bool is_request>
void MessageReader<is_request>::move_unread(std::vector<char>& to, std::size_t front) {
  std::memmove(to.data() + front, buffer_->data() + begin_, end_ - begin_);
  end_ = front + (end_ - begin_);
  begin_ = front;
  buffer_ = &to;
}

template <bool is_request>
auto MessageReader<is_request>::step() -> Step {
  if (fault_status_ != 0) return Step::fault;
  if (floor_ == 0) return read_head();
  for (;;) {
    if (parser_->is_done()) return Step::done;
    if (begin_ == end_) return Step::need_more;
    // Beast has asked for more after a last chunk's size, and asserts that the shortest end of a message is present.
    if (starved_ && (*buffer_)[begin_] == '0' && end_ - begin_ < kLastChunk) return Step::need_more;
    parser_->piece = {};
    boost::beast::error_code error;
    begin_ += parser_->put(boost::asio::buffer(buffer_->data() + begin_, end_ - begin_), error);
    starved_ = error == beast_http::error::need_more;
    if (error) return classify(error);
    if (!parser_->piece.empty()) return Step::body;
  }
}

// Passes only a complete head to the parser. Fed in pieces, the parser would keep pointers to moved octets and join
// folded lines, which are refused here (RFC 9112 5.2): two parsers of one head must agree.
template <bool is_request>
auto MessageReader<is_request>::read_head() -> Step {
  const char* const data = buffer_->data();
  const std::size_t end = std::min(end_, limits_.head);
  while (scanned_ < end) {
    const auto* const feed = static_cast<const char*>(std::memchr(data + scanned_, '\n', end - scanned_));
    scanned_ = feed ? static_cast<std::size_t>(feed - data) + 1 : end;
    if (!feed) break;
    if (feed == data + line_ || feed[-1] != '\r') return refuse(400, "bad_syntax");
    if (data[line_] == ' ' || data[line_] == '\t') return refuse(400, "folded_line");
    const bool is_empty = feed == data + line_ + 1;
    line_ = scanned_;
    if (!is_empty) continue;
    boost::beast::error_code error;
    parser_->put(boost::asio::buffer(data, scanned_), error);
    if (error && error != beast_http::error::need_more) return classify(error);
    if (!parser_->is_header_done()) return refuse(400, "bad_syntax");
    begin_ = floor_ = scanned_;
    return finish_head();
  }
  return end_ > limits_.head ? refuse(431, "head_too_large") : Step::need_more;
}

template <bool is_request>
auto MessageReader<is_request>::classify(boost::beast::error_code error) -> Step {
  using beast_http::error;
  if (error == beast_http::error::need_more && end_ - begin_ < kBodyWindow) return Step::need_more;
  if (error == beast_http::error::need_more) return refuse(400, "bad_chunk");
  if (error == beast_http::error::body_limit) return refuse(413, "body_too_large");
  return refuse(400, "bad_syntax");
}

template <bool is_request>
auto MessageReader<is_request>::finish_head() -> Step {
  Head& head = head_;
  head.streamed = is_streamed();
  if (!head.streamed) parser_->body_limit(limits_.body);
  const bool has_body = !parser_->is_done();  // a response to HEAD announces a length without a body
  const auto announced = parser_->content_length();
  if (has_body && !head.streamed && announced && *announced > limits_.body) return refuse(413, "body_too_large");
  if (parser_->too_many_fields || head.field_count > limits_.fields) return refuse(431, "too_many_fields");
  if (head.target.size() > limits_.target) return refuse(414, "target_too_long");
  if (is_request && !is_printable(head.target)) return refuse(400, "bad_target");
  if (const auto status = framing_fault()) return refuse(status, "bad_framing");
  head.keep_alive =
      parser_->keep_alive() && head.version == 11;  // HTTP/1.0 needs a keep-alive field in the response: closed instead
  head.chunked = parser_->chunked();
  if (const auto length = parser_->content_length()) head.content_length = *length;
  return Step::head;
}

template <bool is_request>
bool MessageReader<is_request>::is_streamed() const {
  if (!is_request || head_.method != Method::post) return false;
  const auto path = head_.target.substr(0, head_.target.find('?'));
  return std::any_of(limits_.streamed.begin(), limits_.streamed.end(), [&](std::string_view known) {
    return known.ends_with('/') ? path.starts_with(known) : path == known;
  });
}

// Checks of RFC 9112 3.2 and 6.1-6.3 that Beast 1.81 lacks; differing framing allows request smuggling.
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
    const bool ends_chunked =
        coding.size() > 7 && model::equals_ignoring_case(coding.substr(coding.size() - 7), "chunked");
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

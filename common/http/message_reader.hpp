#pragma once
// Parses HTTP/1.1 messages without a socket, by Beast's parser and the framing rules of RFC 9112 that Beast 1.81 lacks.
// Included only by session.cpp and connection.cpp, which own the sockets.
#include <array>
#include <boost/beast/http/basic_parser.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/http/message.hpp"

namespace parley::http {

struct ReaderLimits {
  std::size_t head = 16 * 1024;             // octets of start line and fields
  std::size_t fields = 64;                  // at most kMaxFields
  std::size_t target = 8 * 1024;            // octets
  std::uint64_t body = 1024 * 1024;         // octets
  std::span<const std::string> streamed{};  // paths of POST requests for which `body` does not apply
  std::size_t first_read = 4096;            // octets of a message's initial buffer
};
inline constexpr std::size_t kMaxFields = 64;

// A parsed head: slices into the reader's buffer, valid until next_message().
struct Head {
  Method method = Method::other;  // of a request
  std::string_view target;        // of a request
  unsigned status = 0;            // of a response
  int version = 11;
  std::size_t field_count = 0;
  std::array<Field, kMaxFields> field_array;
  bool keep_alive = true;
  bool chunked = false;
  std::optional<std::uint64_t> content_length;
  bool streamed = false;  // the request's body may have any length

  std::span<const Field> fields() const { return {field_array.data(), field_count}; }
  // Leaves field_array as it is, to save writing two kilobytes per message.
  void clear();
};

template <bool is_request>
class MessageReader {
 public:
  enum class Step {
    need_more,  // read into space(), then commit()
    head,       // head() is complete and valid
    body,       // piece() holds body octets
    done,       // the message ended
    fault       // fault_status(), fault_reason(): answer and close
  };

  // `limits` must outlive the reader.
  explicit MessageReader(const ReaderLimits& limits);
  MessageReader(const MessageReader&) = delete;
  MessageReader& operator=(const MessageReader&) = delete;

  // Drops the current message and keeps the octets behind it.
  void next_message();
  // For the response to a HEAD request.
  void expect_no_body() { parser_->skip(true); }
  Step step();

  // Returns where to read to; never empty after Step::need_more.
  std::span<char> space();
  void commit(std::size_t octets) { end_ += octets; }
  // The peer closed its side: ends a body that is framed by the connection's end.
  Step end_of_stream();

  // Octets of the buffers beyond the initial one.
  std::size_t held() const { return head_buffer_.capacity() + body_buffer_.capacity() - limits_.first_read; }
  bool has_octets() const { return begin_ != end_; }
  bool done() const { return parser_->is_done(); }
  const Head& head() const { return head_; }
  std::string_view piece() const { return parser_->piece; }
  unsigned fault_status() const { return fault_status_; }
  std::string_view fault_reason() const { return fault_reason_; }  // a label for metrics

 private:
  struct Parser final : boost::beast::http::basic_parser<is_request> {
    explicit Parser(Head& head_) : head(head_) {}
    using error_code = boost::beast::error_code;
    using text = boost::beast::string_view;

    void on_request_impl(boost::beast::http::verb, text, text, int, error_code&) override;
    void on_response_impl(int, text, int, error_code&) override;
    void on_field_impl(boost::beast::http::field, text, text, error_code&) override;
    void on_header_impl(error_code&) override {}
    void on_body_init_impl(const boost::optional<std::uint64_t>&, error_code&) override {}
    std::size_t on_body_impl(text, error_code&) override;
    void on_chunk_header_impl(std::uint64_t, text, error_code&) override {}
    std::size_t on_chunk_body_impl(std::uint64_t, text, error_code&) override;
    void on_finish_impl(error_code&) override {}

    Head& head;
    std::string_view piece;
    bool too_many_fields = false;
  };

  Step refuse(unsigned status, std::string_view reason);
  Step read_head();
  Step finish_head();
  Step classify(boost::beast::error_code error);
  unsigned framing_fault() const;
  bool is_streamed() const;
  void move_unread(std::vector<char>& to, std::size_t front);

  const ReaderLimits& limits_;
  std::vector<char> head_buffer_, body_buffer_;
  std::vector<char>* buffer_ = &head_buffer_;  // octets are read into this one
  std::size_t begin_ = 0, end_ = 0;            // the unparsed octets in it
  std::size_t scanned_ = 0, line_ = 0;  // of an incomplete head: how far it was scanned, where its last line begins
  std::size_t floor_ = 0;               // octets of the complete head, which must not move
  Head head_;
  std::optional<Parser> parser_;
  bool starved_ = false;  // the parser needs more of a chunk-size line
  unsigned fault_status_ = 0;
  std::string_view fault_reason_;
};

extern template class MessageReader<true>;
extern template class MessageReader<false>;

}  // namespace parley::http

#include "common/redis/reader.hpp"

#include <hiredis/hiredis.h>

#include <new>

namespace parley::redis {
namespace {

using ReaderPtr = std::unique_ptr<redisReader, void (*)(redisReader*)>;

const redisReplyObjectFunctions& functions_of_hiredis() {
  static const redisReplyObjectFunctions functions = [] {
    const ReaderPtr reader(redisReaderCreate(), redisReaderFree);
    if (!reader) throw std::bad_alloc();
    return *reader->fn;
  }();
  return functions;
}

constexpr std::string_view kTooMany = "a reply of too many elements";
constexpr std::string_view kTooLong = "a reply that is too long";

}  // namespace

void* ReplyReader::create_array(const redisReadTask* task, int elements) {
  auto& self = *static_cast<ReplyReader*>(task->privdata);
  if (elements > 0) self.elements_ += static_cast<std::size_t>(elements);
  if (self.elements_ > kMaxElements) return nullptr;  // hiredis reports this as out of memory
  return functions_of_hiredis().createArray(task, elements);
}

ReplyReader::ReplyReader() : reader_(nullptr, redisReaderFree) {
  static redisReplyObjectFunctions functions = [] {
    auto out = functions_of_hiredis();
    out.createArray = create_array;
    return out;
  }();
  reader_.reset(redisReaderCreateWithFunctions(&functions));
  if (!reader_) throw std::bad_alloc();
  reader_->privdata = this;
}

void ReplyReader::feed(std::string_view octets) {
  octets_ += octets.size();
  redisReaderFeed(reader_.get(), octets.data(), octets.size());
}

ReplyReader::Reply ReplyReader::next() {
  void* reply = nullptr;
  const bool has_some = reader_->pos < reader_->len;  // without input, next() would consume kind()
  if (has_some && error().empty() && redisReaderGetReply(reader_.get(), &reply) == REDIS_OK && reply) {
    elements_ = 0;
    octets_ = reader_->len - reader_->pos;
  }
  return {static_cast<redisReply*>(reply), [](redisReply* object) { freeReplyObject(object); }};
}

std::string_view ReplyReader::error() const {
  if (elements_ > kMaxElements) return kTooMany;
  if (octets_ > kMaxOctets) return kTooLong;
  return reader_->err == 0 ? "" : reader_->errstr;
}

char ReplyReader::kind() const {
  return reader_->ridx >= 0 || reader_->pos == reader_->len ? '\0' : reader_->buf[reader_->pos];
}

}  // namespace parley::redis

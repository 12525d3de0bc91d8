#pragma once
#include <algorithm>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "common/async/event.hpp"
#include "common/model/trace.hpp"

namespace parley::async {

using boost::asio::awaitable;

// Questions about single items that several requests ask in the same turn of the event loop, asked as one: under load
// one message, or one statement, about eight items costs about half of eight. Nothing is kept for later: who asks after
// a change is told of it. Who is traced asks alone, as the trace would lack what another asks. For one thread; must
// outlive its questions.
//   Key     what questions must have in common to be one
//   First   what only the first of them contributes, such as its request id
//   Answer  of all items of a question
template <class Key, class First, class Item, class Answer>
class Gathering {
  struct Question;

 public:
  using Ask = std::function<awaitable<Answer>(Key, First, std::vector<Item>)>;

  // What has been asked. May be destroyed without being awaited.
  class Asked {
   public:
    // The answer; throws what Ask threw. Waits as long as Ask does, which must have a deadline.
    awaitable<std::shared_ptr<const Answer>> get() {
      const auto question = question_;
      co_await question->over.wait();
      if (question->error) std::rethrow_exception(question->error);
      co_return std::shared_ptr<const Answer>(question, &*question->answer);
    }

   private:
    friend class Gathering;
    explicit Asked(std::shared_ptr<Question> question) : question_(std::move(question)) {}
    std::shared_ptr<Question> question_;
  };

  // At most `most` items go into one question.
  Gathering(boost::asio::io_context& context, std::size_t most, Ask ask)
      : context_(context), most_(most), ask_(std::move(ask)) {}

  // Asks once the handlers that are ready have run, for whatever they add.
  Asked ask(const Key& key, const Item& item, const First& first = {}) {
    if (model::current_trace.sampled()) return ask_alone(key, item, first);
    auto open = open_.find(key);
    if (open == open_.end()) {
      const auto question = std::make_shared<Question>(key, first);
      boost::asio::post(context_, [this, question] { send(question); });
      open = open_.emplace(key, question).first;  // last: nobody may join what is never sent
    }
    const auto question = open->second;
    auto& items = question->items;
    if (std::ranges::find(items, item) == items.end()) items.push_back(item);
    if (items.size() == most_) open_.erase(open);
    return Asked(question);
  }
  // Asks at once, in the caller's trace.
  Asked ask_alone(const Key& key, const Item& item, const First& first = {}) {
    const auto question = std::make_shared<Question>(key, first, std::vector{item});
    spawn(question);
    return Asked(question);
  }

 private:
  struct Question {
    Key key;
    First first;
    std::vector<Item> items{};
    std::optional<Answer> answer{};
    std::exception_ptr error{};
    Event over{};
  };

  void send(const std::shared_ptr<Question>& question) {
    const auto open = open_.find(question->key);
    if (open != open_.end() && open->second == question) open_.erase(open);
    spawn(question);
  }

  void spawn(const std::shared_ptr<Question>& question) {
    try {
      boost::asio::co_spawn(context_, answer(question), boost::asio::detached);
    } catch (...) {
      end(*question, std::current_exception());
    }
  }

  awaitable<void> answer(std::shared_ptr<Question> question) {
    std::exception_ptr thrown;
    try {
      question->answer.emplace(co_await ask_(question->key, question->first, question->items));
    } catch (...) {
      thrown = std::current_exception();
    }
    end(*question, thrown);
  }

  static void end(Question& question, std::exception_ptr error) {
    question.error = std::move(error);
    question.over.set();
  }

  boost::asio::io_context& context_;
  const std::size_t most_;
  const Ask ask_;
  std::map<Key, std::shared_ptr<Question>> open_;  // not sent yet, with room for another item
};

}  // namespace parley::async

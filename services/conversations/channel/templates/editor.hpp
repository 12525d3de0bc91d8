#pragma once
#include "conversations/channel/client.hpp"
#include "conversations/channel/templates/draft.hpp"
#include "conversations/channel/templates/shapes.hpp"

namespace parley::conversations::templates {

using boost::asio::awaitable;

// Has the channel make, change and delete templates. The channel is the source of truth: after an answer that is lost
// or says nothing, it is asked what it has before anybody repeats the request. Throws a Problem: 409 if the channel
// refuses, with its words; 503 if it cannot be told what it did, or if it did nothing and may do it later.
class Editor {
 public:
  explicit Editor(channel::Client& channel) : channel_(channel) {}

  // Returns the template as the channel took it. `may_repeat`: the request may have been made before, and a template
  // that is as it asks is its own.
  awaitable<channel::Template> create(const channel::Account& account, const Draft& draft, bool may_repeat);
  // Whether the channel lets this be changed now: not while it reviews it.
  static bool is_editable(const Template& known);
  // Whether a template is as the edit wants it, but for examples.
  static bool is_so(const std::string& category, const model::RawJson& components, const Edit& edit);
  awaitable<channel::Template> edit(const channel::Account& account, const Template& known, const Edit& edit);
  awaitable<void> remove(const channel::Account& account, const Template& known);

 private:
  awaitable<std::optional<channel::Template>> look(const channel::Account& account, const std::string& name,
                                                   const std::string& language);
  // The same after an answer that says nothing: what cannot be looked up stays in doubt.
  awaitable<std::optional<channel::Template>> look_in_doubt(const channel::Account& account, const std::string& name,
                                                            const std::string& language);

  channel::Client& channel_;
};

}  // namespace parley::conversations::templates

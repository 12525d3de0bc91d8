#pragma once
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "common/model/campaign.hpp"
#include "common/model/message.hpp"

namespace parley::conversations::rendering {

// The target of a link in a campaign's messages, from campaign_url.
struct Url {
  std::string url;
  std::int64_t id = 0;
  std::string secret;  // 16 octets
};

// A campaign's message and its variants, compiled once and rendered for each recipient in about a microsecond.
// Values are cut to fit the channel's limits: each to its share of the room beside the fixed text, ending in "…"; fixed
// text and links are never cut. A value that may not be cut (in a URL, a payload, a code) counts as unset above 256
// octets. Unset and blank values are replaced by their fallback. Control characters become spaces; so do line breaks
// and runs of spaces in a template's parameters, where the channel refuses them. Values in URLs are percent-encoded. A
// value is never parsed for variables or links.
class Composition {
 public:
  // Throws std::invalid_argument unless read_message() accepts the messages.
  Composition(const model::RawJson& message, const std::vector<model::CampaignVariant>& variants);

  // The contact values needed, each once: "name", "phone", attribute keys. `parameters` have their values in this
  // order.
  const std::vector<std::string>& variables() const { return variables_; }
  // The URLs that become links, each once.
  const std::vector<std::string>& urls() const { return urls_; }

  std::size_t variant_count() const { return variants_.size(); }  // includes the campaign's own message, which is 0
  // The variant of a draw from 0 to 99, according to the shares. May not change while a campaign runs.
  std::size_t variant_drawn(std::int64_t draw) const;
  // Draws from each of these on have another variant than those before it.
  std::vector<std::int64_t> draw_bounds() const;

  // The variables that misses_value() depends on: indices of variables().
  std::vector<std::size_t> deciding() const;
  // Whether the channel would refuse the message for a missing value: an empty template parameter or a blank text.
  bool misses_value(std::size_t variant, std::span<const std::optional<std::string>> parameters) const;
  // Returns the variant's variables that have neither a value nor a fallback.
  std::vector<std::string> missing(std::size_t variant, std::span<const std::optional<std::string>> parameters) const;

  struct Rendered {
    model::MessageType type = model::MessageType::Text;
    std::string data;  // messageData; passes channel::check_content() unless misses_value()
  };
  // `link` appends the link for urls()[url], at most 128 octets without JSON escapes; if empty, URLs are rendered.
  using Link = std::function<void(std::string& out, std::size_t url)>;
  Rendered render(std::size_t variant, std::span<const std::optional<std::string>> parameters,
                  const Link& link = {}) const;

 private:
  friend class Compiler;

  // The treatment of a value, see above: `words` and `line` may be cut, `whole` and `url` may not.
  enum class Manner : unsigned char { words, line, whole, url };
  enum class What : unsigned char { literal, value, link, code };
  struct Piece {
    What what = What::literal;
    Manner manner = Manner::words;
    std::size_t index = 0;  // of the variable or the URL
    std::string text;       // raw JSON, or the value's fallback
  };
  // Pieces with a common limit.
  struct Budget {
    std::size_t first = 0, last = 0;  // pieces; `last` is exclusive
    std::size_t room = 0;             // characters left for the values
    std::size_t values = 0;           // values that share the room
  };
  // Pieces that may not render blank.
  struct Wanted {
    std::size_t first = 0, last = 0;
    bool each = false;  // each value, not only all together
  };
  struct Variant {
    model::MessageType type = model::MessageType::Text;
    std::int64_t share = 0;
    std::size_t size = 0;  // approximate octets of the rendered message
    std::vector<Piece> pieces;
    std::vector<Budget> budgets;
    std::vector<Wanted> wanted;
  };
  using Parameters = std::span<const std::optional<std::string>>;

  // Returns the value to render, or the fallback.
  static std::string_view value_of(const Piece& piece, Parameters parameters);
  static void append_value(std::string& out, const Piece& piece, std::string_view value, std::size_t most);
  static std::size_t max_of_each(const Variant& variant, const Budget& budget, Parameters parameters);

  std::vector<std::string> variables_, urls_;
  std::vector<Variant> variants_;
};

}  // namespace parley::conversations::rendering

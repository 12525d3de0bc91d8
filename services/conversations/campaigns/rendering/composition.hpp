#pragma once
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "common/model/campaign.hpp"
#include "common/model/message.hpp"

namespace parley::conversations::rendering {

// Where a link in a campaign's messages leads, as campaign_url has it.
struct Url {
  std::string url;
  std::int64_t id = 0;
  std::string secret;  // 16 octets
};

// A campaign's message and its variants, compiled once and rendered for each recipient in about a microsecond.
//
// What a recipient's values do to a message that has limits: they are cut, each to its share of the room that the words
// leave, and end in "…" then; the words and the links are never. What makes no sense when it is cut (in a URL, a
// payload, a code) counts as unset when it is longer than 256 octets. Blank values count as unset: their fallback
// stands in. Control characters become spaces, in a template's parameters line breaks and runs of spaces too, which the
// channel refuses there. Values in URLs are percent-encoded. Nothing in a value is read as a variable or a link.
class Composition {
 public:
  // As read_message() lets them pass; throws std::invalid_argument otherwise.
  Composition(const model::RawJson& message, const std::vector<model::CampaignVariant>& variants);

  // Which values of a contact are wanted: "name", "phone", or keys of its attributes. Each once. The parameters below
  // are one value, or null, for each of them in this order.
  const std::vector<std::string>& variables() const { return variables_; }
  // The URLs that become links, each once.
  const std::vector<std::string>& urls() const { return urls_; }

  std::size_t variant_count() const { return variants_.size(); }  // with the campaign's own message, which is 0
  // Which one is for the recipient whose message has this id: always the same, by a hash of the id, so that each has
  // its share of the recipients. May not change while a campaign runs.
  std::size_t variant_of(const model::Uuid& message_id) const;

  // Whether the channel would refuse the message for want of a value: a parameter of a template would be without one,
  // or a text blank.
  bool misses_value(std::size_t variant, std::span<const std::optional<std::string>> parameters) const;
  // The variables of this variant that have neither a value nor a fallback.
  std::vector<std::string> missing(std::size_t variant, std::span<const std::optional<std::string>> parameters) const;

  struct Rendered {
    model::MessageType type = model::MessageType::Text;
    std::string data;  // messageData; good by channel::check_content() unless misses_value()
  };
  // `link` appends what stands for urls()[url], at most 128 octets that need no escape in JSON; without it stands the
  // URL itself.
  using Link = std::function<void(std::string& out, std::size_t url)>;
  Rendered render(std::size_t variant, std::span<const std::optional<std::string>> parameters,
                  const Link& link = {}) const;

 private:
  friend class Compiler;

  // Control characters, line breaks, length: see above. Words and lines are cut, whole ones and those in URLs are not.
  enum class Manner : unsigned char { words, line, whole, url };
  enum class What : unsigned char { literal, value, link, code };
  struct Piece {
    What what = What::literal;
    Manner manner = Manner::words;
    std::size_t index = 0;  // of the variable or the URL
    std::string text;       // octets of JSON, or the value's fallback
  };
  // Pieces that have one limit together.
  struct Budget {
    std::size_t first = 0, last = 0;  // of the pieces, last exclusive
    std::size_t room = 0;             // characters that are left for the values
    std::size_t values = 0;           // how many share it
  };
  // Pieces that may not come out blank.
  struct Wanted {
    std::size_t first = 0, last = 0;
    bool each = false;  // not only all of them together: each value
  };
  struct Variant {
    model::MessageType type = model::MessageType::Text;
    std::int64_t share = 0;
    std::size_t size = 0;  // octets that it comes to, about
    std::vector<Piece> pieces;
    std::vector<Budget> budgets;
    std::vector<Wanted> wanted;
  };
  using Parameters = std::span<const std::optional<std::string>>;

  // The value to be rendered, or the fallback.
  static std::string_view value_of(const Piece& piece, Parameters parameters);
  static void append_value(std::string& out, const Piece& piece, std::string_view value, std::size_t most);
  static std::size_t max_of_each(const Variant& variant, const Budget& budget, Parameters parameters);

  std::vector<std::string> variables_, urls_;
  std::vector<Variant> variants_;
};

}  // namespace parley::conversations::rendering

#pragma once
#include "conversations/campaigns/rendering/composition.hpp"
#include "conversations/campaigns/rendering/message.hpp"

namespace parley::conversations::rendering {

struct Segment;

// Makes one of a composition's variants: messageData with holes.
class Compiler {
 public:
  explicit Compiler(Composition& composition) : composition_(composition) {}

  Composition::Variant compile(const Message& message, std::int64_t share);

 private:
  using Manner = Composition::Manner;
  using What = Composition::What;

  void compile(const TextMessage& message);
  void compile(const TemplateMessage& message);
  void compile(const TemplateButton& button);

  // JSON as it is, which the pieces after it may go on with.
  void literal(std::string_view json);
  void quoted(std::string_view text);
  // In the channel's spelling: {"link":..,"filename":..}
  void medium(const Header& header);
  // A key that a medium's type has on the channel, and the medium.
  void typed_medium(const Header& header);
  // A quoted text with its variables and links. `each`: all of its values must be there.
  void text(std::string_view text, Manner manner, bool may_be_blank, bool each);
  void add(const Segment& segment, Manner manner);
  // What was added since `first` has this limit together.
  void limit(std::size_t first, std::size_t most);

  Composition& composition_;
  Composition::Variant out_;
  std::size_t fixed_ = 0;  // characters of the texts since the last limit
};

}  // namespace parley::conversations::rendering

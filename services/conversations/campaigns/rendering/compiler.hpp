#pragma once
#include "conversations/campaigns/rendering/composition.hpp"
#include "conversations/campaigns/rendering/message.hpp"

namespace parley::conversations::rendering {

struct Segment;

// Compiles one variant of a composition: messageData with placeholders.
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

  // Appends raw JSON; later pieces may continue it.
  void literal(std::string_view json);
  void quoted(std::string_view text);
  // Appends the medium as the channel spells it: {"link":..,"filename":..}
  void medium(const Header& header);
  // Appends the channel's key for the medium's type, and the medium.
  void typed_medium(const Header& header);
  // Appends a quoted text with its variables and links. `each`: every value must be present.
  void text(std::string_view text, Manner manner, bool may_be_blank, bool each);
  void add(const Segment& segment, Manner manner);
  // Gives the pieces added since `first` one common limit.
  void limit(std::size_t first, std::size_t most);

  Composition& composition_;
  Composition::Variant out_;
  std::size_t fixed_ = 0;  // characters of the texts since the last limit
};

}  // namespace parley::conversations::rendering

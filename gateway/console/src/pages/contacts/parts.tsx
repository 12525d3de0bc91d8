import {Button} from '../../design/button.tsx';
import {useTexts} from '../../texts/index.tsx';
import s from './contacts.module.css';

/** The way between the parts of more rows than one scroll has. Those in the middle are reached from either end. */
export function Parts({part, parts, from, count, total, onPart}:
  {part: number; parts: number; from: number; count: number; total: number; onPart: (part: number) => void}) {
  const {contacts: words} = useTexts();
  const button = (text: string, target: number, isDisabled: boolean) =>
    <Button size="s" isDisabled={isDisabled} onPress={() => onPart(target)}>{text}</Button>;
  return (
    <nav className={s.parts} aria-label={words.page(part, parts)}>
      <span className={s.parts_words}>{words.pageNote(from + 1, from + count, total)}</span>
      {button(words.firstPage, 1, part === 1)}
      {button(words.previousPage, part - 1, part === 1)}
      {button(words.nextPage, part + 1, part === parts)}
      {button(words.lastPage, parts, part === parts)}
    </nav>
  );
}

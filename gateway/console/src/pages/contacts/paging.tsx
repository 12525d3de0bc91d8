import {Button} from '../../design/button.tsx';
import {useTexts} from '../../texts/index.tsx';
import s from './contacts.module.css';

/** Above so many one scroll would be higher than browsers can draw: they come in pages. */
const kMostInScroll = 250_000;
const kRowsInPage = 10_000;

/** What is scrolled through at once: all rows, or of very many those of a page. */
export interface Shown {
  readonly page: number;
  readonly pages: number;
  /** The first row, and how many. */
  readonly from: number;
  readonly count: number;
}

export function shownOf(total: number, wanted = 1): Shown {
  const pages = total > kMostInScroll ? Math.ceil(total / kRowsInPage) : 1;
  const page = Math.min(pages, wanted);
  const from = (page - 1) * kRowsInPage;
  return {page, pages, from, count: pages > 1 ? Math.min(kRowsInPage, total - from) : total};
}

/** The way between the pages. Those in the middle are reached from either end. */
export function Paging({shown: {page, pages, from, count}, total, onPage}: {shown: Shown; total: number; onPage: (page: number) => void}) {
  const {contacts: words} = useTexts();
  const button = (text: string, target: number, isDisabled: boolean) =>
    <Button size="s" isDisabled={isDisabled} onPress={() => onPage(target)}>{text}</Button>;
  return (
    <nav className={s.paging} aria-label={words.page(page, pages)}>
      <span className={s.paging_words}>{words.pageNote(from + 1, from + count, total)}</span>
      {button(words.firstPage, 1, page === 1)}
      {button(words.previousPage, page - 1, page === 1)}
      {button(words.nextPage, page + 1, page === pages)}
      {button(words.lastPage, pages, page === pages)}
    </nav>
  );
}

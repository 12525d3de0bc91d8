import s from './keys.module.css';

/** Keys as they are printed: `keys="Ctrl K"` shows two. */
export function Keys({keys}: {keys: string}) {
  return <span className={s.keys}>{keys.split(' ').map((key, place) => <kbd key={place}>{key}</kbd>)}</span>;
}

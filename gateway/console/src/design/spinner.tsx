import s from './spinner.module.css';

/** Something is under way. Give a label unless words beside it say so. */
export function Spinner({label, size = 16}: {label?: string; size?: 14 | 16 | 20 | 32}) {
  return (
    <svg
      className={s.spinner} width={size} height={size} viewBox="0 0 16 16"
      {...(label ? {role: 'img', 'aria-label': label} : {'aria-hidden': true})}
    >
      <circle cx="8" cy="8" r="6.5" />
      <path d="M8 1.5a6.5 6.5 0 0 1 6.5 6.5" />
    </svg>
  );
}

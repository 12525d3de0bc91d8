import {Link} from 'react-aria-components/Link';
import {cx} from './cx.ts';
import {Icon} from './icon.tsx';
import {Spoken} from './spoken.tsx';
import s from './stepper.module.css';

export interface Step {
  id: string;
  text: string;
  state: 'done' | 'current' | 'open' | 'wrong';
  /** The state in words, for screen readers. */
  stateText: string;
  /** Where one may go back or on to. */
  href?: string;
}

/** The steps of a wizard. At 390 px the words of all but the current one are spoken alone. */
export function Stepper({label, steps}: {label: string; steps: readonly Step[]}) {
  return (
    <nav aria-label={label}>
      <ol className={s.steps}>
        {steps.map(({id, text, state, stateText, href}, place) => {
          const words = (
            <>
              <span className={s.sign} aria-hidden="true">{state === 'done' ? <Icon name="check" size={14} /> : state === 'wrong' ? '!' : place + 1}</span>
              <span className={s.text}>{text}</span><Spoken>{stateText}</Spoken>
            </>
          );
          return (
            <li key={id} className={cx(s.step, s[state])} {...(state === 'current' && {'aria-current': 'step' as const})}>
              {href ? <Link href={href} className={s.words ?? ''}>{words}</Link> : <span className={s.words}>{words}</span>}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

import type {ReactNode} from 'react';

/** Words for screen readers alone. */
export function Spoken({children}: {children: ReactNode}) {
  return <span className="only-spoken">{children}</span>;
}

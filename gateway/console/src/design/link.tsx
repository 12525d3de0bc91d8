import type {ReactNode, RefAttributes} from 'react';
import {Link as AriaLink, type LinkProps as AriaLinkProps} from 'react-aria-components/Link';
import {cx} from './cx.ts';
import {Icon} from './icon.tsx';
import {Spoken} from './spoken.tsx';
import s from './link.module.css';

export interface LinkProps
  extends Omit<AriaLinkProps, 'children' | 'className' | 'style' | 'render'>, RefAttributes<HTMLAnchorElement> {
  children: ReactNode;
  /** In a table or a heading: looks like its text until it is pointed at. */
  quiet?: boolean;
  /** Opens elsewhere; the words say so to those who do not see the arrow. */
  external?: string;
}

export function Link({quiet, external, children, ...rest}: LinkProps) {
  return (
    <AriaLink {...rest} {...(external && {target: '_blank', rel: 'noreferrer'})} className={cx(s.link, quiet && s.quiet)}>
      {children}
      {external && <><Icon name="external" size={14} className={s.arrow} /><Spoken>{external}</Spoken></>}
    </AriaLink>
  );
}

import type { ReactElement } from 'react';
import { Tooltip as AriaTooltip, TooltipTrigger } from 'react-aria-components/Tooltip';
import { Keys } from './keys.tsx';
import s from './tooltip.module.css';

export interface TooltipProps {
  text: string;
  keys?: string;
  /** One button or link. What only a tooltip tells, fingers never learn: it repeats or adds, no more. */
  children: ReactElement;
}

export function Tooltip({ text, keys, children }: TooltipProps) {
  return (
    <TooltipTrigger delay={500} closeDelay={100}>
      {children}
      <AriaTooltip className={s.tooltip ?? ''} offset={6}>
        {text}{keys && <Keys keys={keys} />}
      </AriaTooltip>
    </TooltipTrigger>
  );
}

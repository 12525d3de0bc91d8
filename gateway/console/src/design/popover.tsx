import type {ReactElement, ReactNode} from 'react';
import {Dialog, DialogTrigger} from 'react-aria-components/Dialog';
import {Popover as AriaPopover, type PopoverProps as AriaPopoverProps} from 'react-aria-components/Popover';
import {cx} from './cx.ts';
import s from './popover.module.css';

export interface PopoverProps {
  /** The button that opens it. */
  trigger: ReactElement;
  /** Its name for screen readers. */
  label: string;
  placement?: NonNullable<AriaPopoverProps['placement']>;
  isOpen?: boolean;
  onOpenChange?: (open: boolean) => void;
  children: ReactNode | ((close: () => void) => ReactNode);
}

/** A few fields or facts beside what they belong to. */
export function Popover({trigger, label, placement = 'bottom start', children, ...rest}: PopoverProps) {
  return (
    <DialogTrigger {...rest}>
      {trigger}
      <AriaPopover className={popoverClass} placement={placement} offset={6}>
        <Dialog aria-label={label} className={s.body ?? ''}>
          {({close}) => typeof children === 'function' ? children(close) : children}
        </Dialog>
      </AriaPopover>
    </DialogTrigger>
  );
}

export const popoverClass = s.popover ?? '';
/** As wide as the field that opened it. */
export const popoverOfField = cx(s.popover, s.of_field);

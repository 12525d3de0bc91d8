import type {ReactNode} from 'react';
import {
  UNSTABLE_Toast as AriaToast, UNSTABLE_ToastContent as ToastContent, UNSTABLE_ToastQueue as ToastQueue, UNSTABLE_ToastRegion as AriaToastRegion, Text,
} from 'react-aria-components/Toast';
import {Button, IconButton} from './button.tsx';
import {toneIcons} from './badge.tsx';
import {cx} from './cx.ts';
import {Icon} from './icon.tsx';
import s from './toast.module.css';

export interface ToastWords {
  kind?: 'ok' | 'information' | 'warning' | 'danger';
  title: string;
  text?: ReactNode;
  /** Such as Undo. It also closes the toast. */
  action?: {text: string; onPress: () => void};
}

export type Toasts = ToastQueue<ToastWords>;

/** One queue for the console; `toasts.add({title}, {timeout: 6000})`. What must be read has no timeout. */
export function makeToasts(): Toasts {
  return new ToastQueue<ToastWords>({maxVisibleToasts: 3});
}

export interface ToastRegionProps {
  toasts: Toasts;
  label: string;
  close: string;
}

/** Where toasts appear: once, at the end of the page. F6 leads there. */
export function ToastRegion({toasts, label, close}: ToastRegionProps) {
  return (
    <AriaToastRegion queue={toasts} aria-label={label} className={s.region ?? ''}>
      {({toast}) => {
        const {kind = 'ok', title, text, action} = toast.content;
        return (
          <AriaToast toast={toast} className={s.toast ?? ''}>
            <Icon name={toneIcons[kind]} size={20} className={cx(s.sign, s[kind])} />
            <ToastContent className={s.words ?? ''}>
              <Text slot="title" className={s.title ?? ''}>{title}</Text>
              {text && <Text slot="description" className={s.text ?? ''}>{text}</Text>}
            </ToastContent>
            {action && <Button size="s" onPress={() => { action.onPress(); toasts.close(toast.key); }}>{action.text}</Button>}
            <IconButton icon="close" size="s" label={close} onPress={() => toasts.close(toast.key)} />
          </AriaToast>
        );
      }}
    </AriaToastRegion>
  );
}

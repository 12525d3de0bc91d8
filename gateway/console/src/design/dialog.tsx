import type {ReactElement, ReactNode} from 'react';
import {Dialog as AriaDialog, DialogTrigger} from 'react-aria-components/Dialog';
import {Form} from 'react-aria-components/Form';
import {Heading} from 'react-aria-components/Heading';
import {Modal, ModalOverlay} from 'react-aria-components/Modal';
import {Button, IconButton, type ButtonKind} from './button.tsx';
import {cx} from './cx.ts';
import {forgiving} from './field.tsx';
import {Icon} from './icon.tsx';
import s from './dialog.module.css';

interface Opening {
  /** The button that opens it; without one, the page says when by `isOpen`. */
  trigger?: ReactElement | undefined;
  isOpen?: boolean;
  onOpenChange?: (open: boolean) => void;
}

function Opened({trigger, children, ...rest}: Opening & {children: ReactElement}) {
  return trigger ? <DialogTrigger {...rest}>{trigger}{children}</DialogTrigger> : children;
}

export interface DialogProps extends Opening {
  title: ReactNode;
  /** The label of the button that closes it. */
  close: string;
  size?: 's' | 'm' | 'l';
  children: ReactNode | ((close: () => void) => ReactNode);
  /** The buttons: what is refused first, what is done last. */
  actions?: ReactNode | ((close: () => void) => ReactNode);
  /** Makes it a form: Enter in a field, or the Button of `type="submit"` in `actions`. */
  onSubmit?: (close: () => void) => void;
}

/** Asks for something before the page goes on. At 390 px it comes from below, as wide as the screen. */
export function Dialog({trigger, title, close: closeLabel, size = 'm', children, actions, onSubmit, isOpen, onOpenChange}: DialogProps) {
  const opening = {...(isOpen !== undefined && {isOpen}), ...(onOpenChange && {onOpenChange})};
  return (
    <Opened trigger={trigger} {...opening}>
      <ModalOverlay className={s.overlay ?? ''} isDismissable {...(!trigger && opening)}>
        <Modal className={cx(s.modal, s[size])}>
          <AriaDialog className={s.dialog ?? ''}>
            {({close}) => {
              const content = (
                <>
                  <div className={s.body}>{typeof children === 'function' ? children(close) : children}</div>
                  {actions && <div className={s.actions}>{typeof actions === 'function' ? actions(close) : actions}</div>}
                </>
              );
              return (
                <>
                  <div className={s.head}>
                    <Heading slot="title" className={s.title ?? ''}>{title}</Heading>
                    <IconButton icon="close" label={closeLabel} onPress={close} />
                  </div>
                  {onSubmit ? <Form className={s.form ?? ''} {...forgiving} onSubmit={(event) => { event.preventDefault(); onSubmit(close); }}>{content}</Form> : content}
                </>
              );
            }}
          </AriaDialog>
        </Modal>
      </ModalOverlay>
    </Opened>
  );
}

export interface AlertDialogProps extends Opening {
  title: ReactNode;
  children: ReactNode;
  cancel: string;
  /** Says what happens and to how many: "Delete 1,204 contacts", never "OK". */
  action: string;
  kind?: Extract<ButtonKind, 'danger' | 'primary'>;
  isPending?: boolean;
  isDisabled?: boolean;
  onAction: () => void;
}

/** Asks once more before what cannot be taken back. Only its buttons and Escape close it; Cancel has the focus. */
export function AlertDialog(
  {trigger, title, children, cancel, action, kind = 'danger', isPending, isDisabled, onAction, isOpen, onOpenChange}: AlertDialogProps,
) {
  const opening = {...(isOpen !== undefined && {isOpen}), ...(onOpenChange && {onOpenChange})};
  return (
    <Opened trigger={trigger} {...opening}>
      <ModalOverlay className={s.overlay ?? ''} {...(!trigger && opening)}>
        <Modal className={cx(s.modal, s.s)}>
          <AriaDialog role="alertdialog" className={s.dialog ?? ''}>
            {({close}) => (
              <>
                <div className={s.head}>
                  {kind === 'danger' && <span className={s.sign}><Icon name="danger" size={20} /></span>}
                  <Heading slot="title" className={s.title ?? ''}>{title}</Heading>
                </div>
                <div className={s.body}>{children}</div>
                <div className={s.actions}>
                  <Button autoFocus onPress={close}>{cancel}</Button>
                  <Button
                    kind={kind} onPress={onAction} {...(isPending && {isPending})} {...(isDisabled && {isDisabled})}
                  >{action}</Button>
                </div>
              </>
            )}
          </AriaDialog>
        </Modal>
      </ModalOverlay>
    </Opened>
  );
}

export interface DrawerProps extends Opening {
  label: string;
  children: ReactNode | ((close: () => void) => ReactNode);
}

/** From the edge of the screen: at its end, at 390 px from below. Navigation, filters, details that have no room beside. */
export function Drawer({trigger, label, children, isOpen, onOpenChange}: DrawerProps) {
  const opening = {...(isOpen !== undefined && {isOpen}), ...(onOpenChange && {onOpenChange})};
  return (
    <Opened trigger={trigger} {...opening}>
      <ModalOverlay className={cx(s.overlay, s.at_end)} isDismissable {...(!trigger && opening)}>
        <Modal className={cx(s.modal, s.drawer)}>
          <AriaDialog className={s.dialog ?? ''} aria-label={label}>
            {({close}) => <div className={s.body}>{typeof children === 'function' ? children(close) : children}</div>}
          </AriaDialog>
        </Modal>
      </ModalOverlay>
    </Opened>
  );
}

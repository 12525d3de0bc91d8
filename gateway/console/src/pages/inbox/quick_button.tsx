import {Icon, type IconName} from '../../design/icon.tsx';
import s from './inbox.module.css';

/** A small button that each row of a long list has: it is no more than a button, so that rows stay quick to make. */
export function QuickButton({icon, label, onPress}: {icon: IconName; label: string; onPress: () => void}) {
  return <button type="button" className={s.quick} aria-label={label} data-tooltip={label} onClick={onPress}><Icon name={icon} /></button>;
}

import {Banner} from '../../design/banner.tsx';
import {Button} from '../../design/button.tsx';
import {useTexts} from '../../texts/index.tsx';
import s from './inbox.module.css';

/** At the end of a list or a thread whose next page could not be loaded. */
export function RestFailed({retry}: {retry: () => void}) {
  const {inbox, shell} = useTexts();
  return <div className={s.notice}><Banner kind="danger" live actions={<Button size="s" icon="retry" onPress={retry}>{shell.retry}</Button>}>{inbox.restFailed}</Banner></div>;
}

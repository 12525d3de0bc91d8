import {useLocation} from '@tanstack/react-router';
import {Bar} from '../design/banner.tsx';
import {Link} from '../design/link.tsx';
import type {Send} from '../live/outbox.ts';
import {addressIn} from '../session/address.ts';
import {useTexts} from '../texts/index.tsx';

/** Over the page: some messages were not sent, or nobody knows. In their own conversation they say so themselves. */
export default function Unsent({sends}: {sends: readonly Send[]}) {
  const {shell: {connection: words}} = useTexts();
  const here = useLocation({select: ({pathname}) => pathname});
  const addressOf = ({organization, conversationId}: Send) => addressIn(organization, 'inbox/' + conversationId);
  const elsewhere = sends.filter((each) => addressOf(each) !== here);
  if (!elsewhere[0]) return null;
  return <Bar icon="danger">{words.unsent(elsewhere.length)} <Link href={addressOf(elsewhere[0])}>{words.look}</Link></Bar>;
}

import {ButtonLink} from '../../design/button.tsx';
import {Card} from '../../design/card.tsx';
import {cx} from '../../design/cx.ts';
import {Icon} from '../../design/icon.tsx';
import {Spoken} from '../../design/spoken.tsx';
import {useTexts} from '../../texts/index.tsx';
import type {May, Parts} from './parts.ts';
import {usePlaces} from './places.ts';
import s from './home.module.css';

/** Whether the organization has nothing to show yet: undefined as long as that is not known. */
export function isNew(parts: Parts): boolean | undefined {
  const usage = parts.usage.value?.usage;
  const used = (name: string) => usage?.find((each) => each.name === name)?.used;
  const contacts = used('contacts');
  if (contacts === undefined) return undefined;
  return contacts === 0 || parts.numbers.value?.phoneNumbers.length === 0;
}

/** What to do in a new organization, in this order. */
export function FirstSteps({parts, may}: {parts: Parts; may: May}) {
  const {home: {first}} = useTexts();
  const place = usePlaces();
  const contacts = parts.usage.value?.usage.find((each) => each.name === 'contacts')?.used ?? 0;
  const isConnected = (parts.numbers.value?.phoneNumbers.length ?? 0) > 0;
  const channel = may('Update:MessagingSettings') ? place('channel') : undefined;
  const steps = [
    {title: isConnected ? first.connected : first.connect, text: first.connectText, isDone: isConnected, href: channel, go: first.connect},
    {
      title: contacts > 0 ? first.haveContacts(contacts) : first.contacts, text: first.contactsText, isDone: contacts > 0,
      href: may('BulkImport:Contacts') ? place('import') : undefined, go: first.import,
    },
    {title: first.write, text: first.writeText, isDone: false, href: may('Get:Conversation') ? place('inbox') : undefined, go: first.toInbox},
  ];
  const next = steps.find((each) => !each.isDone && each.href);
  return (
    <Card title={first.title}>
      <ol className={s.steps}>
        {steps.map((step, index) => (
          <li key={step.go} className={s.step}>
            <span className={cx(s.number, step.isDone && s.done)}>{step.isDone ? <><Icon name="check" size={14} /><Spoken>{first.done}</Spoken></> : index + 1}</span>
            <div className={s.words}>
              <p className={s.what}>{step.title}</p>
              {!step.isDone && <p className={s.why}>{step.text}</p>}
            </div>
            {!step.isDone && step.href && <ButtonLink size="s" href={step.href} kind={step === next ? 'primary' : 'secondary'}>{step.go}</ButtonLink>}
          </li>
        ))}
      </ol>
    </Card>
  );
}

import {ButtonLink} from '../../design/button.tsx';
import {Card} from '../../design/card.tsx';
import {cx} from '../../design/cx.ts';
import {Icon} from '../../design/icon.tsx';
import {Spoken} from '../../design/spoken.tsx';
import {usePlaces} from '../../shell/places.ts';
import {useTexts} from '../../texts/index.tsx';
import type {HomeData, May} from './data.ts';
import s from './home.module.css';

/** What is there to begin with; undefined as long as it is not known. */
export function beginningOf(data: HomeData): {contacts: number; numbers: number} | undefined {
  const contacts = data.usage.value?.usage.find((each) => each.name === 'contacts')?.used;
  const numbers = data.numbers.value?.phoneNumbers.length;
  return contacts === undefined || numbers === undefined ? undefined : {contacts, numbers};
}

/** What to do in a new organization, in this order. */
export function FirstSteps({contacts, numbers, may}: {contacts: number; numbers: number; may: May}) {
  const {home: {first}} = useTexts();
  const place = usePlaces();
  const isConnected = numbers > 0;
  const channel = may('Update:MessagingBusinessAccount') ? place('channel') : undefined;
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

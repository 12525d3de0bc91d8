import {Suspense, useState} from 'react';
import {Badge} from '../../design/badge.tsx';
import {Button, ButtonRow} from '../../design/button.tsx';
import {Stack} from '../../design/page.tsx';
import {part} from '../../parts.ts';
import type {User} from '../../session/session.ts';
import {useFormat, useTexts} from '../../texts/index.tsx';

const SetUp = part(() => import('./set_up.tsx'), (file) => file.default);
const Prove = part(() => import('./prove.tsx'), (file) => file.default);

export function SecondFactor({user}: {user: User}) {
  const {access: {profile: words}} = useTexts();
  const format = useFormat();
  const [asked, setAsked] = useState<'set up' | 'off' | 'codes' | null>(null);
  const factor = user.secondFactor;
  const close = () => setAsked(null);
  return (
    <Stack gap={4}>
      {factor
        ? <Stack row gap={2}><Badge tone="ok">{words.factorOn(format.date(factor.since))}</Badge><span>{words.codesLeft(factor.recoveryCodesLeft)}</span></Stack>
        : <div><Badge>{words.factorOff}</Badge></div>}
      {user.hasPassword && (
        <ButtonRow>
          {factor
            ? <><Button onPress={() => setAsked('codes')}>{words.newCodes}</Button><Button onPress={() => setAsked('off')}>{words.turnOff}</Button></>
            : <Button kind="primary" icon="shield" onPress={() => setAsked('set up')}>{words.turnOn}</Button>}
        </ButtonRow>
      )}
      <Suspense>
        {asked === 'set up' && <SetUp onClose={close} />}
        {(asked === 'off' || asked === 'codes') && <Prove what={asked} onClose={close} />}
      </Suspense>
    </Stack>
  );
}

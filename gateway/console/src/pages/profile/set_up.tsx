import {useState} from 'react';
import {Button} from '../../design/button.tsx';
import {CopyField} from '../../design/copy_field.tsx';
import {Dialog} from '../../design/dialog.tsx';
import {Link} from '../../design/link.tsx';
import {Stack} from '../../design/page.tsx';
import {TextField} from '../../design/text_field.tsx';
import {useBeginSecondFactor, useConfirmSecondFactor} from '../../session/account.ts';
import {FormProblem} from '../../shell/form_problem.tsx';
import {useTexts} from '../../texts/index.tsx';
import {PasswordField} from '../access/fields.tsx';
import {QrPicture} from './qr_picture.tsx';
import {RecoveryCodes} from './recovery_codes.tsx';

/** In three steps: who it is, the app and its first code, the recovery codes. */
export default function SetUp({onClose}: {onClose: () => void}) {
  const {access, shell} = useTexts();
  const words = access.factor;
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const begin = useBeginSecondFactor();
  const confirm = useConfirmSecondFactor();
  const secret = begin.answer;
  const codes = confirm.answer;
  const submit = () => {
    if (codes) onClose();
    else if (secret) void confirm.change(code).catch(() => undefined);
    else void begin.change(password).catch(() => undefined);
  };
  const action = codes ? words.kept : secret ? words.turnOn : words.next;
  return (
    // Codes that are shown once do not go away by a press beside the dialog.
    <Dialog isOpen onOpenChange={(isOpen) => isOpen || codes || onClose()} title={codes ? words.isOn : words.title} close={shell.close}
            onSubmit={submit}
            actions={<>
              {!codes && <Button onPress={onClose}>{access.cancel}</Button>}
              <Button kind="primary" type="submit" isPending={begin.isUnderWay || confirm.isUnderWay}>{action}</Button>
            </>}>
      {codes ? <RecoveryCodes codes={codes} note={words.othersEnded} /> : secret ? (
        <Stack gap={4}>
          <p>{words.scan}</p>
          <QrPicture text={secret.otpauthUrl} label={words.picture} />
          <Link href={secret.otpauthUrl}>{words.onThisDevice}</Link>
          <CopyField label={words.orKey} value={secret.secret.replace(/(.{4})(?=.)/g, '$1 ')} copy={access.copy} copied={access.copied} />
          {!confirm.problem?.faults.length && confirm.problem?.status !== 400 && <FormProblem problem={confirm.problem} />}
          <TextField label={words.code} code direction="ltr" inputMode="numeric" autoComplete="one-time-code" maxLength={64} isRequired autoFocus
                     value={code} onChange={setCode} {...(confirm.problem?.status === 400 && {error: access.code.wrong})} />
        </Stack>
      ) : (
        <Stack gap={4}>
          <p>{words.prove}</p>
          {begin.problem?.status !== 400 && <FormProblem problem={begin.problem} />}
          <PasswordField label={access.password} autoComplete="current-password" isRequired autoFocus value={password} onChange={setPassword}
                         {...(begin.problem?.status === 400 && {error: access.profile.wrongOld})} />
        </Stack>
      )}
    </Dialog>
  );
}

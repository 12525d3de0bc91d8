import {useState} from 'react';
import {Button} from '../../design/button.tsx';
import {Dialog} from '../../design/dialog.tsx';
import {Stack} from '../../design/page.tsx';
import {useDisableSecondFactor, useReplaceRecoveryCodes} from '../../session/account.ts';
import {FormProblem} from '../../shell/form_problem.tsx';
import {useTexts} from '../../texts/index.tsx';
import {PasswordField} from '../access/fields.tsx';
import {RecoveryCodes} from './recovery_codes.tsx';

/** What wants the password once more: the second factor off, or other recovery codes. */
export default function Prove({what, onClose}: {what: 'off' | 'codes'; onClose: () => void}) {
  const {access, shell} = useTexts();
  const words = access.factor;
  const [password, setPassword] = useState('');
  const off = useDisableSecondFactor();
  const replace = useReplaceRecoveryCodes();
  const {problem, isUnderWay} = what === 'off' ? off : replace;
  const codes = replace.answer;
  const submit = () => {
    if (codes) onClose();
    else if (what === 'off') void off.change({password}).then(onClose, () => undefined);
    else void replace.change({password}).catch(() => undefined);
  };
  return (
    <Dialog isOpen onOpenChange={(isOpen) => isOpen || codes || onClose()} size="s" title={what === 'off' ? words.offTitle : words.newTitle}
            close={shell.close} onSubmit={submit}
            actions={<>
              {!codes && <Button onPress={onClose}>{access.cancel}</Button>}
              <Button kind={what === 'off' ? 'danger' : 'primary'} type="submit" isPending={isUnderWay}>
                {codes ? words.kept : what === 'off' ? access.profile.turnOff : words.newAction}
              </Button>
            </>}>
      {codes ? <RecoveryCodes codes={codes} /> : (
        <Stack gap={4}>
          <p>{what === 'off' ? words.offText : words.newText}</p>
          {problem?.status !== 400 && <FormProblem problem={problem} />}
          <PasswordField label={access.password} autoComplete="current-password" isRequired autoFocus value={password} onChange={setPassword}
                         {...(problem?.status === 400 && {error: access.profile.wrongOld})} />
        </Stack>
      )}
    </Dialog>
  );
}

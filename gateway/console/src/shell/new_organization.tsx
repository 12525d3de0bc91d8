import {useState} from 'react';
import {useRouter} from '@tanstack/react-router';
import {Button} from '../design/button.tsx';
import {Dialog} from '../design/dialog.tsx';
import {Stack} from '../design/page.tsx';
import {TextField} from '../design/text_field.tsx';
import {useCreateOrganization} from '../session/account.ts';
import {addressIn} from '../session/address.ts';
import {useTexts} from '../texts/index.tsx';
import {FormProblem} from './form_problem.tsx';

/** Asks for the name of an organization, makes it and goes there. */
export default function NewOrganization({onClose}: {onClose: () => void}) {
  const {access, shell} = useTexts();
  const words = access.organization;
  const router = useRouter();
  const [name, setName] = useState('');
  const {change, problem, isUnderWay} = useCreateOrganization();
  const make = async () => {
    const id = await change({name});
    onClose();
    await router.navigate({href: addressIn(id, 'home')});
  };
  const faults = problem?.at('name') ?? [];
  return (
    <Dialog isOpen onOpenChange={(isOpen) => isOpen || onClose()} size="s" title={words.title} close={shell.close}
            onSubmit={() => void make().catch(() => undefined)}
            actions={<>
              <Button onPress={onClose}>{access.cancel}</Button>
              <Button kind="primary" type="submit" isPending={isUnderWay}>{words.action}</Button>
            </>}>
      <Stack gap={4}>
        <p>{words.text}</p>
        <FormProblem problem={problem} besides={['name']} />
        <TextField label={access.organizationName} maxLength={255} isRequired autoFocus value={name} onChange={setName}
                   {...(faults.length > 0 && {error: faults.join(' ')})} />
      </Stack>
    </Dialog>
  );
}

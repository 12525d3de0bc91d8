import {useEffect, useState} from 'react';
import {Banner} from '../../design/banner.tsx';
import {ButtonLink} from '../../design/button.tsx';
import {CopyField} from '../../design/copy_field.tsx';
import {Stack} from '../../design/page.tsx';
import {useTexts} from '../../texts/index.tsx';

export function RecoveryCodes({codes, note}: {codes: readonly string[]; note?: string}) {
  const {access} = useTexts();
  const words = access.factor;
  const text = codes.join('\n');
  const [address, setAddress] = useState('');
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([text + '\n'], {type: 'text/plain'}));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [text]);
  return (
    <Stack gap={4}>
      {note && <Banner kind="ok">{note}</Banner>}
      <p>{words.codesText}</p>
      <CopyField label={words.codes} value={text} lines copy={access.copy} copied={access.copied} />
      <div><ButtonLink icon="download" href={address} download={words.fileName}>{words.download}</ButtonLink></div>
    </Stack>
  );
}

import {useEffect, useState, type ReactNode} from 'react';
import {Icon} from '../../design/icon.tsx';
import s from './inbox.module.css';

/** The address of a picture that is here; null of anything else, and until it is made. */
export function usePicture(file: Blob | null): string | null {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (!file?.type.startsWith('image/')) return;
    const made = URL.createObjectURL(file);
    setAddress(made);
    return () => {
      setAddress(null);
      URL.revokeObjectURL(made);
    };
  }, [file]);
  return address;
}

/** A file that is to be sent: what it is, its name, and what is said of it. */
export function ChosenFile({file, name, note}: {file: Blob | null; name: string; note: ReactNode}) {
  const address = usePicture(file);
  return (
    <>
      {address ? <img className={s.thumb} src={address} alt="" width={32} height={32} /> : <Icon name="document" />}
      <span className={s.above_words}><b><bdi>{name}</bdi></b> {note}</span>
    </>
  );
}

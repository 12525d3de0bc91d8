import type {ReactNode} from 'react';
import {DropZone} from 'react-aria-components/DropZone';
import {FileTrigger} from 'react-aria-components/FileTrigger';
import {Text} from 'react-aria-components/Text';
import {Button} from './button.tsx';
import {Icon} from './icon.tsx';
import s from './file_drop.module.css';

export interface FileDropProps {
  /** "Drop a CSV file here". Names the zone, into which one can also paste. */
  label: string;
  choose: string;
  /** What is taken: kinds and sizes. */
  description?: ReactNode;
  /** MIME types or endings. */
  accept: readonly string[];
  onFile: (file: File) => void;
  error?: ReactNode;
}

export function FileDrop({label, choose, description, accept, onFile, error}: FileDropProps) {
  return (
    <DropZone
      className={s.zone ?? ''} aria-label={label}
      onDrop={(event) => {
        for (const item of event.items) {
          if (item.kind === 'file') { void item.getFile().then(onFile); return; }
        }
      }}
    >
      <Icon name="upload" size={24} className={s.sign} />
      <Text slot="label" className={s.label ?? ''}>{label}</Text>
      {description && <p className={s.description}>{description}</p>}
      <FileTrigger acceptedFileTypes={accept} onSelect={(files) => { const file = files?.[0]; if (file) onFile(file); }}>
        <Button>{choose}</Button>
      </FileTrigger>
      {error && <p className={s.error} role="alert"><Icon name="danger" size={14} />{error}</p>}
    </DropZone>
  );
}

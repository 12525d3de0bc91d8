import {Suspense} from 'react';
import type {Contact, Template} from '../../api/entities.ts';
import {Banner} from '../../design/banner.tsx';
import {IconButton} from '../../design/button.tsx';
import {Message} from '../../design/message.tsx';
import {TextField} from '../../design/text_field.tsx';
import {part} from '../../parts.ts';
import {useFormat, useTexts} from '../../texts/index.tsx';
import s from './inbox.module.css';
import {blanksOf, fieldsOf, filled, isUnusual, mediaOf, partsOf, type Blank} from './template_values.ts';

const TemplateFile = part(() => import('./template_file.tsx'), (file) => file.TemplateFile);
const FromContact = part(() => import('./from_contact.tsx'), (file) => file.FromContact);

export interface Media {
  readonly name: string;
  readonly share: number;
  readonly id: string | null;
  readonly problem: string | null;
}

export interface TemplateFormProps {
  template: Template;
  contact: Contact | null | undefined;
  values: Readonly<Record<string, string>>;
  onValues: (values: Record<string, string>) => void;
  media: Media | null;
  onFile: (file: File) => void;
  /** Sending was tried: what is missing is told at its field. */
  isTried: boolean;
}

const kAccept = {IMAGE: ['image/jpeg', 'image/png'], VIDEO: ['video/mp4', 'video/3gpp'], DOCUMENT: ['application/pdf']};

/** A template's values, by hand or from the contact, and beside them what the contact will read. */
export function TemplateForm({template, contact, values, onValues, media, onFile, isTried}: TemplateFormProps) {
  const {inbox} = useTexts();
  const format = useFormat();
  const blanks = blanksOf(template);
  const fields = fieldsOf(contact);
  const file = mediaOf(template);
  const labelOf = ({part, variable, subType}: Blank) =>
    subType === 'url' ? inbox.linkValue : subType === 'copy_code' ? inbox.codeValue : part === 'header' ? inbox.headerValue(inbox.value(variable)) : inbox.value(variable);
  const set = (id: string, value: string) => onValues({...values, [id]: value});
  const {header, body, footer, buttons} = partsOf(template);
  const words = (text: string | undefined, part: string) =>
    filled(text ?? '', part, values).map((each, place) => each.isValue ? <mark key={place} className={s.value}>{each.text}</mark> : each.text);
  return (
    <div className={s.filling}>
      <div className={s.values}>
        {isUnusual(template) && <Banner kind="warning">{inbox.unusualTemplate}</Banner>}
        {file && (
          <Suspense fallback={null}><TemplateFile label={inbox.needsFile[file]} choose={inbox.chooseFile} accept={kAccept[file]} onFile={onFile}
                    description={media ? `${media.name} · ${media.id ? inbox.uploading(format.percent(1)) : inbox.uploading(format.percent(media.share, 0))}` : undefined}
                    {...((media?.problem ?? (isTried && !media)) && {error: media?.problem || inbox.valueMissing})} /></Suspense>
        )}
        {blanks.map((blank) => (
          <div key={blank.id} className={s.blank}>
            <TextField label={labelOf(blank)} value={values[blank.id] ?? ''} onChange={(value) => set(blank.id, value)} maxLength={1024}
                       {...(blank.example && {description: <bdi>{inbox.example(blank.example)}</bdi>})} {...(isTried && !values[blank.id]?.trim() && {error: inbox.valueMissing})} />
            {fields.length > 0 && (
              <Suspense fallback={<IconButton icon="user" kind="secondary" label={inbox.fromContact} />}>
                <FromContact fields={fields} label={labelOf(blank)} onValue={(value) => set(blank.id, value)} />
              </Suspense>
            )}
          </div>
        ))}
      </div>
      <section className={s.preview} aria-label={inbox.preview}>
        <h3>{inbox.preview}</h3>
        <Message kind="outbound" author={inbox.authors.you} time={format.time(Date.now())}
                 text={
                   <>
                     {header?.text && <strong className={s.template_part}>{words(header.text, 'header')}</strong>}
                     {words(body?.text, 'body')}
                     {footer?.text && <span className={s.template_foot}>{footer.text}</span>}
                     {buttons.length > 0 && <span className={s.template_buttons}>{buttons.map((each, place) => <span key={place}>{each.text}</span>)}</span>}
                   </>
                 } />
      </section>
    </div>
  );
}

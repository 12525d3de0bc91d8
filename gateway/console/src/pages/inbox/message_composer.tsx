import {Suspense, useEffect, useRef, useState, type ReactNode} from 'react';
import {useMessage} from '../../api/messages.ts';
import {ask} from '../../api/hooks.ts';
import {useScope} from '../../api/scope.tsx';
import {Banner} from '../../design/banner.tsx';
import {Button, IconButton} from '../../design/button.tsx';
import {Composer} from '../../design/composer.tsx';
import {Icon} from '../../design/icon.tsx';
import {Keys} from '../../design/keys.tsx';
import {useOutbox, type Drafting} from '../../live/provider.tsx';
import {part} from '../../parts.ts';
import {useIsHere} from '../../shell/is_here.ts';
import {printed} from '../../shell/keys.ts';
import {useUnsaved} from '../../shell/unsaved.ts';
import {useFormat, useTexts} from '../../texts/index.tsx';
import {attachedOf, bodiesOf, kAccepted, tooMany, type Attached} from './attachments.ts';
import {ChosenFile} from './chosen_file.tsx';
import s from './inbox.module.css';
import {summaryOf} from './message_words.ts';
import {nameOfContact, useAuthor} from './names.ts';
import {useEntersToSend} from './enters_to_send.ts';
import {SuggestionBox, type Suggestion} from './suggestion_box.tsx';
import {askedFor, type Asked} from './suggestions.ts';
import {notKept, useTellNotKept, useTellProblem} from './tell_problem.ts';
import {useAttached} from './use_attached.ts';
import {pastedFiles, useDroppedFiles} from './use_files.ts';
import type {WritePaneProps} from './write_pane.tsx';

const SendKeys = part(() => import('./send_keys.tsx'), (file) => file.SendKeys);

/** Writes to the contact. What is written stays until it is sent, over reloads too; what is sent waits until it is answered. */
export function MessageComposer({conversation, contact, draft: {writing, write, spend}, onSent, onTyping, fieldRef, head, onTemplate}:
  Pick<WritePaneProps, 'conversation' | 'contact' | 'onSent' | 'fieldRef'>
  & {draft: Drafting; onTyping: () => void; head: ReactNode; onTemplate: () => void}) {
  const {inbox, shell} = useTexts();
  const format = useFormat();
  const {send} = useOutbox(conversation.uniqueId);
  const [attached, setAttached, removeSent] = useAttached(conversation.uniqueId);
  const isHere = useIsHere();
  const tellNotKept = useTellNotKept();
  const [fault, setFault] = useState<string | null>(null);
  const [isDismissed, setDismissed] = useState(false);
  useUnsaved(attached?.file !== undefined && attached?.file !== null, {isKeptInTab: true});
  const latest = useRef({writing, attached});
  latest.current = {writing, attached};
  const chooser = useRef<HTMLInputElement>(null);
  const entersToSend = useEntersToSend();
  const text = writing?.text ?? '';
  const replyTo = writing?.replyToMessageId ?? null;
  const asked: Asked | null = isDismissed ? null : askedFor(text, text.length, false);
  const over = tooMany(text, attached);
  const isEmpty = writing === undefined || asked?.words === '' || (text.trim() === '' && !attached);  // a lone `/` asks for quick replies
  const name = nameOfContact(contact, inbox);
  const fill = useQuickReply(contact?.uniqueId ?? conversation.contactId, () => [latest.current.writing?.text, latest.current.attached], (filled) => {
    write({text: filled.text, replyToMessageId: latest.current.writing?.replyToMessageId ?? null});
    if (filled.attached) setAttached(filled.attached);
    setFault(filled.missing.length > 0 ? inbox.missing(format.list(filled.missing)) : null);
    fieldRef.current?.focus();
  });
  const change = (words: string) => {
    write({text: words, replyToMessageId: replyTo});
    setDismissed(false);
    if (fault) setFault(null);
    onTyping();
  };
  const attach = (files: FileList | null) => {
    const file = files?.[0];
    if (!file) return;
    const taken = attachedOf(file);
    if (taken === null) return setFault(inbox.fileType);
    if (typeof taken === 'number') return setFault(inbox.fileTooLarge(format.bytes(taken)));
    setAttached(taken);
    setFault(files.length > 1 ? inbox.oneFile : null);
    fieldRef.current?.focus();
  };
  const sendAll = async () => {
    if (isEmpty || over > 0) return;
    try {
      const file = attached?.file ? {blob: attached.file, name: attached.name} : null;
      const isSent = await spend((spent) => send(conversation.uniqueId, bodiesOf(spent.text, attached, spent.replyToMessageId), {file, spent}));
      if (!isSent) return;
      if (attached) removeSent(attached);
      setFault(null);
      onSent();
    } catch (error) {
      if (isHere.current) setFault(notKept(error, inbox));
      else tellNotKept(error);
    }
  };
  useDroppedFiles(attach);
  return (
    <div onPaste={(event) => {
      const files = pastedFiles(event);
      if (files) event.preventDefault();
      attach(files);
    }}>
      <SuggestionBox asked={asked} field={fieldRef} onClose={() => setDismissed(true)} onChoose={fill}>
        {(aria, take, isUnknown) => (
          <Composer
            label={inbox.writeTo(name)} placeholder={inbox.messagePlaceholder(`\u2068${name}\u2069`)} value={text} onChange={change} onSend={take ?? (() => isUnknown || void sendAll())} entersToSend={entersToSend} head={head} ref={fieldRef}
            isDisabled={writing === undefined} {...(aria && {suggestions: aria})}
            above={(replyTo || attached || fault) && (
              <>
                {fault && <Banner kind="warning" live close={inbox.close} onClose={() => setFault(null)}>{fault}</Banner>}
                {replyTo && <Answering id={replyTo} contact={contact} onRemove={() => write({text, replyToMessageId: null})} />}
                {attached && (
                  <div className={s.above}>
                    <ChosenFile file={attached.file} name={attached.name} note={attached.file && format.bytes(attached.file.size)} />
                    <IconButton size="s" icon="close" label={inbox.removeFile} onPress={() => setAttached(null)} />
                  </div>
                )}
              </>
            )}
            tools={
              <>
                <input ref={chooser} type="file" hidden accept={kAccepted} onChange={(event) => {
                  attach(event.target.files);
                  event.target.value = '';
                }} />
                <IconButton icon="attach" label={inbox.attach} onPress={() => chooser.current?.click()} />
                <IconButton icon="document" label={inbox.useTemplate} onPress={onTemplate} />
              </>
            }
            end={
              <>
                {over > 0 && <span className={s.over} role="status">{inbox.tooLong(over)}</span>}
                <span className={s.sends_by}><Keys keys={printed(entersToSend ? 'Enter' : 'Mod+Enter', shell.ctrl)} /></span>
                <Suspense fallback={<IconButton size="s" icon="chevron_down" label={inbox.sendKeys} isDisabled />}><SendKeys /></Suspense>
                <Button kind="primary" icon="send" isDisabled={isEmpty || over > 0 || isUnknown} onPress={take ?? (() => void sendAll())}>{inbox.send}</Button>
              </>
            }
          />
        )}
      </SuggestionBox>
    </div>
  );
}

function Answering({id, contact, onRemove}: {id: string; contact: WritePaneProps['contact']; onRemove: () => void}) {
  const {inbox} = useTexts();
  const {value: message} = useMessage(id);
  const author = useAuthor(message?.sentBy ?? {type: 'Unknown', uniqueId: null, memberId: null}, contact);
  return (
    <div className={s.above}>
      <Icon name="reply" /><span className={s.above_words}><b>{inbox.answering(author)}</b> <bdi>{message ? summaryOf(message, inbox) : ''}</bdi></span>
      <IconButton size="s" icon="close" label={inbox.noAnswer} onPress={onRemove} />
    </div>
  );
}

interface Filled {
  text: string;
  attached: Attached | null;
  missing: readonly string[];
}

/** The service fills in what the quick reply says of the contact; but not where one has chosen or written something else meanwhile, or gone elsewhere. */
function useQuickReply(contactId: string, written: () => readonly unknown[], done: (filled: Filled) => void): (suggestion: Suggestion) => void {
  const scope = useScope();
  const tell = useTellProblem();
  const asking = useRef<AbortController>(undefined);
  useEffect(() => () => asking.current?.abort(), []);
  return ({id}) => {
    asking.current?.abort();
    const {signal} = asking.current = new AbortController();
    const before = written();
    const params = {path: {id}, query: {contact_id: contactId}};
    void ask(scope, scope.api.GET('/api/quick-replies/{id}/preview', {params, signal})).then(({data: {preview}}) => {
      if (signal.aborted || written().some((each, place) => each !== before[place])) return;
      const said = preview.messageData as {text?: string; caption?: string; id?: string; link?: string; fileName?: string};
      const type = preview.messageType;
      const attached = type === 'Image' || type === 'Video' || type === 'Document'
        ? {type, name: said.fileName ?? type, file: null, id: said.id ?? null, link: said.link ?? null}
        : null;
      done({text: said.text ?? said.caption ?? '', attached, missing: preview.missing});
    }).catch((error: unknown) => signal.aborted || tell(error));
  };
}

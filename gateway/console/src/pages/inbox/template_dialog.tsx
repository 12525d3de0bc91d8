import {Suspense, useRef, useState} from 'react';
import type {Contact, Template} from '../../api/entities.ts';
import {ApiProblem} from '../../api/problem.ts';
import {useSearchedTemplates} from '../../api/templates.ts';
import {useScope} from '../../api/scope.tsx';
import {upload} from '../../api/upload.ts';
import {Badge} from '../../design/badge.tsx';
import {Banner} from '../../design/banner.tsx';
import {Button} from '../../design/button.tsx';
import {Dialog} from '../../design/dialog.tsx';
import {Loading, Skeleton} from '../../design/progress.tsx';
import {EmptyState} from '../../design/state.tsx';
import {SearchField} from '../../design/text_field.tsx';
import {useOutbox} from '../../live/provider.tsx';
import {part} from '../../parts.ts';
import {ProblemState, wordsOf} from '../../shell/problem.tsx';
import {useFormat, useTexts} from '../../texts/index.tsx';
import s from './inbox.module.css';
import {nameOfContact} from './names.ts';
import {attachedOf} from './attachments.ts';
import {notKept} from './tell_problem.ts';
import type {Media} from './template_form.tsx';
import {blanksOf, contentOf, firstValues, isUnusual, mediaOf, partsOf} from './template_values.ts';

const TemplateForm = part(() => import('./template_form.tsx'), (file) => file.TemplateForm);

export interface TemplateDialogProps {
  conversationId: string;
  contact: Contact | null | undefined;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  onSent: () => void;
}

/** What can be sent at any time: a template that the channel approved, with its values. */
export function TemplateDialog({conversationId, contact, isOpen, onOpenChange, onSent}: TemplateDialogProps) {
  const {inbox, shell} = useTexts();
  const format = useFormat();
  const scope = useScope();
  const {send} = useOutbox(conversationId);
  const [chosen, setChosen] = useState<Template | null>(null);
  const [values, setValues] = useState<Record<string, string>>({});
  const [media, setMedia] = useState<Media | null>(null);
  const [isTried, setTried] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const isSending = useRef(false);
  const choose = (template: Template | null) => {
    setChosen(template);
    setValues(template ? firstValues(template, contact) : {});
    give(null);
    setTried(false);
    setFault(null);
  };
  // What is on its way for another template, or was another choice, is given up.
  const uploading = useRef(new AbortController());
  const give = (file: File | null) => {
    uploading.current.abort();
    const {signal} = uploading.current = new AbortController();
    if (!file) return setMedia(null);
    const {name} = file;
    const taken = attachedOf(file);
    const refused = typeof taken === 'number' ? inbox.fileTooLarge(format.bytes(taken)) : taken?.type.toUpperCase() !== (chosen && mediaOf(chosen)) ? inbox.fileType : null;
    if (refused) return setMedia({name, share: 0, id: null, problem: refused});
    const show = (media: Partial<Media>) => signal.aborted || setMedia({name, share: 0, id: null, problem: null, ...media});
    show({});
    upload<{media: {id: string}}>(scope.wire, {
      address: '/api/messages/media', organization: scope.organization, key: scope.wire.newKey(), file, type: file.type, signal,
      onSent: (share) => show({share}),
    }).then(({data}) => show({share: 1, id: data.media.id}), (problem: unknown) => show({problem: problem instanceof ApiProblem ? wordsOf(problem, shell) : inbox.changeFailed}));
  };
  const submit = async () => {
    if (!chosen) return;
    setTried(true);
    const isWhole = blanksOf(chosen).every((each) => values[each.id]?.trim()) && (!mediaOf(chosen) || media?.id);
    if (!isWhole || isUnusual(chosen) || isSending.current) return;
    isSending.current = true;
    try {
      const content = contentOf(chosen, values, media?.id ? {id: media.id, fileName: media.name} : null);
      await send(conversationId, [{messageType: 'Template', messageData: content}]);
      onOpenChange(false);
      choose(null);
      onSent();
    } catch (error) {
      setFault(notKept(error, inbox));
    } finally {
      isSending.current = false;
    }
  };
  return (
    <Dialog isOpen={isOpen} onOpenChange={onOpenChange} title={inbox.templatesOf(nameOfContact(contact, inbox))} close={inbox.close} size="l" onSubmit={() => void submit()}
            actions={chosen
              ? <><Button icon="arrow_back" onPress={() => choose(null)}>{inbox.otherTemplate}</Button><Button kind="primary" icon="send" type="submit" isDisabled={isUnusual(chosen)} isPending={media !== null && media.id === null && media.problem === null}>{inbox.sendTemplate}</Button></>
              : <Button onPress={() => onOpenChange(false)}>{inbox.cancel}</Button>}>
      {fault && <Banner kind="warning" live>{fault}</Banner>}
      {chosen
        ? <Suspense fallback={<Skeleton kind="row" lines={4} />}><TemplateForm template={chosen} contact={contact} values={values} onValues={setValues} media={media} onFile={give} isTried={isTried} /></Suspense>
        : <TemplateList onChoose={choose} />}
    </Dialog>
  );
}

function TemplateList({onChoose}: {onChoose: (template: Template) => void}) {
  const {inbox} = useTexts();
  const {store} = useScope();
  const [words, setWords] = useState('');
  const list = useSearchedTemplates({status: 'APPROVED'}, words.trim().slice(0, 100));
  const all = list.ids.flatMap((id) => store.get('template', id) ?? []);
  const wanted = words.trim().toLowerCase();
  const found = all.filter((each) => each.name.toLowerCase().includes(wanted) || (partsOf(each).body?.text ?? '').toLowerCase().includes(wanted));
  if (list.problem && all.length === 0) return <ProblemState small problem={list.problem} retry={list.retry} title={inbox.templatesFailed} />;
  if (list.isLoading && !wanted) return <Loading label={inbox.loadingMore}><Skeleton kind="row" lines={5} /></Loading>;
  if (all.length === 0 && !wanted) return <EmptyState small icon="document" title={inbox.noTemplates}>{inbox.noTemplatesHint}</EmptyState>;
  return (
    <div className={s.templates}>
      {list.degraded.length > 0 && <Banner kind="degraded">{inbox.templatesOld}</Banner>}
      <SearchField label={inbox.searchTemplates} placeholder={inbox.searchTemplates} clear={inbox.clearSearch} value={words} onChange={setWords} autoFocus />
      <ul className={s.template_list}>
        {found.map((each) => (
          <li key={each.uniqueId}>
            <button type="button" className={s.template} onClick={() => onChoose(each)}>
              <span className={s.template_name}><b><bdi>{each.name}</bdi></b><Badge>{each.language}</Badge><Badge>{inbox.categories[each.category] ?? each.category}</Badge></span>
              <span className={s.template_text}><bdi>{partsOf(each).body?.text}</bdi></span>
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 && !list.isLoading && <EmptyState small icon="search" title={inbox.noTemplateFound} />}
      {list.hasMore && <Button wide kind="quiet" isPending={list.isLoadingMore} onPress={list.more}>{inbox.moreMatches}</Button>}
    </div>
  );
}

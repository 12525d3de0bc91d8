import {useEffect, useRef, useState} from 'react';
import {loadConversation, useTagConversation} from '../../api/conversations.ts';
import type {Conversation} from '../../api/entities.ts';
import {fromCurrent, readVersioned, useSearchedList} from '../../api/hooks.ts';
import {useScope} from '../../api/scope.tsx';
import {tagsFamily} from '../../api/tags.ts';
import {Button, IconButton} from '../../design/button.tsx';
import {Checkbox} from '../../design/choice.tsx';
import {Popover} from '../../design/popover.tsx';
import {Loading, Skeleton} from '../../design/progress.tsx';
import {SearchField} from '../../design/text_field.tsx';
import {useHeld} from '../../session/provider.tsx';
import {toasts} from '../../shell/toasts.ts';
import {useTexts} from '../../texts/index.tsx';
import s from './inbox.module.css';
import {useTellProblem} from './tell_problem.ts';

/** Tags of the conversation: each takes effect at once. A word that is none yet becomes one. */
export function TagsPopover({conversation, isOpen, onOpenChange}: {conversation: Conversation; isOpen: boolean; onOpenChange: (open: boolean) => void}) {
  const {inbox} = useTexts();
  const count = conversation.tagIds?.length ?? 0;
  return (
    <Popover label={inbox.tags} placement="bottom end" isOpen={isOpen} onOpenChange={onOpenChange}
             trigger={<IconButton icon="tag" label={count > 0 ? `${inbox.tags}: ${count}` : inbox.tags} keys="t" isOn={count > 0} />}>
      <TagChoices conversation={conversation} />
    </Popover>
  );
}

function TagChoices({conversation: {uniqueId: id, tagIds}}: {conversation: Conversation}) {
  const {inbox} = useTexts();
  const scope = useScope();
  const {store} = scope;
  const [words, setWords] = useState('');
  const [isAdding, setAdding] = useState(false);
  const label = words.trim();
  const wanted = label.toLowerCase();
  const list = useSearchedList(tagsFamily, {}, label, useHeld('Get:Tag') ?? false);
  const tag = useTagConversation();
  const tell = useTellProblem();
  const isUnknown = tagIds === undefined;
  const isPartial = isUnknown || (!list.isLoading && tagIds.some((each) => store.get('tag', each) === undefined));
  useEffect(() => {
    if (isPartial) store.stale('conversation', id);  // which comes with its tags
  }, [isPartial, store, id]);
  const ids = [...new Set([...tagIds ?? [], ...list.ids])];
  const all = ids.flatMap((each) => store.get('tag', each) ?? []);
  const found = all.filter((each) => each.label.toLowerCase().includes(wanted)).slice(0, 50);
  const isNew = !isUnknown && wanted !== '' && !all.some((each) => each.label.toLowerCase() === wanted);
  // They are sent as a whole: of those that it has by now, so that what another member gave stays; a message that comes changes it, too.
  // One after the other.
  const last = useRef<Promise<void>>(Promise.resolve());
  const set = (change: (tags: readonly string[]) => string[], done?: () => void) => {
    last.current = last.current.then(() => fromCurrent(async () => {
      const {value, version} = await readVersioned(scope, 'conversation', id, loadConversation);
      if (!value.tagIds) return void toasts.add({kind: 'danger', title: inbox.changeFailed, text: inbox.degradedList(inbox.tags)});
      await tag.change({id, version, tags: change(value.tagIds)});
      done?.();
    })).catch(tell);
  };
  const add = () => {
    if (!isNew || isAdding) return;
    setAdding(true);
    set((tags) => [...tags, label], () => setWords((now) => now.trim() === label ? '' : now));
    void last.current.finally(() => setAdding(false));
  };
  const turn = (each: string, isOn: boolean) => set((tags) => [...tags.filter((other) => other !== each), ...(isOn ? [each] : [])]);
  return (
    <div className={s.tags}>
      <SearchField label={inbox.searchTags} placeholder={inbox.searchTags} clear={inbox.clearSearch} value={words} onChange={setWords} autoFocus maxLength={50} onSubmit={add} />
      {list.isLoading && <Loading label={inbox.loadingMore}><Skeleton kind="row" lines={3} /></Loading>}
      {isUnknown && <p>{inbox.degradedList(inbox.tags)}</p>}
      <div className={s.tag_choices}>
        {found.map((each) => (
          <Checkbox key={each.uniqueId} isSelected={tagIds?.includes(each.uniqueId) ?? false} isDisabled={isUnknown}
                    onChange={(isOn) => turn(each.uniqueId, isOn)}><bdi>{each.label}</bdi></Checkbox>
        ))}
        {all.length === 0 && !list.isLoading && !isUnknown && !isNew && <p>{inbox.noTags}</p>}
      </div>
      {isNew && !list.hasMore && <Button size="s" icon="plus" isPending={isAdding} onPress={add}>{inbox.addTag(label)}</Button>}
    </div>
  );
}

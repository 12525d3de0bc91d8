import {useState} from 'react';
import {useTagConversation} from '../../api/conversations.ts';
import type {Conversation} from '../../api/entities.ts';
import {useScope} from '../../api/scope.tsx';
import {useTags} from '../../api/tags.ts';
import {Button, IconButton} from '../../design/button.tsx';
import {Checkbox} from '../../design/choice.tsx';
import {Popover} from '../../design/popover.tsx';
import {Loading, Skeleton} from '../../design/progress.tsx';
import {SearchField} from '../../design/text_field.tsx';
import {useHeld} from '../../session/provider.tsx';
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

function TagChoices({conversation: {uniqueId: id, tagIds = []}}: {conversation: Conversation}) {
  const {inbox} = useTexts();
  const {store} = useScope();
  const [words, setWords] = useState('');
  const mayRead = useHeld('Get:Tag') ?? false;
  const list = useTags({}, mayRead);
  const tag = useTagConversation();
  const tell = useTellProblem();
  const wanted = words.trim().toLowerCase();
  const ids = [...new Set([...tagIds, ...list.ids])];
  const all = ids.flatMap((each) => store.get('tag', each) ?? []);
  const found = all.filter((each) => each.label.toLowerCase().includes(wanted)).slice(0, 50);
  const isNew = wanted !== '' && !all.some((each) => each.label.toLowerCase() === wanted);
  const set = (tags: string[]) => void tag.change({id, tags}).catch(tell);
  const add = () => {
    set([...tagIds, words.trim()]);
    setWords('');
  };
  return (
    <div className={s.tags}>
      <SearchField label={inbox.searchTags} placeholder={inbox.searchTags} clear={inbox.clearSearch} value={words} onChange={setWords} autoFocus maxLength={50} onSubmit={() => isNew && add()} />
      {list.isLoading && <Loading label={inbox.loadingMore}><Skeleton kind="row" lines={3} /></Loading>}
      <div className={s.tag_choices}>
        {found.map((each) => (
          <Checkbox key={each.uniqueId} isSelected={tagIds.includes(each.uniqueId)} isDisabled={tag.isUnderWay}
                    onChange={(isOn) => set(isOn ? [...tagIds, each.uniqueId] : tagIds.filter((other) => other !== each.uniqueId))}><bdi>{each.label}</bdi></Checkbox>
        ))}
        {all.length === 0 && !list.isLoading && !isNew && <p>{inbox.noTags}</p>}
      </div>
      {isNew && <Button size="s" icon="plus" isPending={tag.isUnderWay} onPress={add}>{inbox.addTag(words.trim())}</Button>}
    </div>
  );
}

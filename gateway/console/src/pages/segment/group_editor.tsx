import {Button, IconButton} from '../../design/button.tsx';
import {Icon} from '../../design/icon.tsx';
import {Select} from '../../design/select.tsx';
import {useTexts} from '../../texts/index.tsx';
import {ConditionEditor} from './condition_editor.tsx';
import {appended, kMostDepth, newCondition, newGroup, replaced, type Fault, type Group, type Node} from './model.ts';
import s from './segment.module.css';

export interface EditorProps {
  root: Group;
  onChange: (root: Group) => void;
  /** What is not finished, once somebody wanted to save; and what the service said. */
  faults: ReadonlyMap<string, Fault>;
  told: ReadonlyMap<string, string>;
}

export function GroupEditor({group, depth, ...rest}: EditorProps & {group: Group; depth: number}) {
  const {audience: {segments: words}} = useTexts();
  const {root, onChange, faults, told} = rest;
  const fault = faults.get(group.id);
  const put = (part: Partial<Group>) => onChange(replaced(root, group.id, (node) => ({...node, ...part}) as Node));
  const turned = depth + Number(group.not);
  return (
    <fieldset className={s.group}>
      <legend className="only-spoken">{words.conditions}</legend>
      <div className={s.line}>
        <span>{words.fulfil}</span>
        {group.not && <span className={s.not}>{words.not}</span>}
        <div className={s.joint}>
          <Select label={words.fulfil} labelHidden value={group.type} onChange={(key) => put({type: key as 'all' | 'any'})}
                  options={[{id: 'all', text: words.all}, {id: 'any', text: words.any}]} />
        </div>
        <IconButton icon="block" label={words.negate} isOn={group.not} onPress={() => put({not: !group.not})} />
        {group.id !== root.id && <IconButton icon="trash" label={words.removeGroup} onPress={() => onChange(replaced(root, group.id, () => null))} />}
      </div>
      {group.children.map((child) => (
        <div key={child.id} className={s.child}>
          {'children' in child ? <GroupEditor {...rest} group={child} depth={turned + 1} /> : <ConditionEditor {...rest} condition={child} />}
        </div>
      ))}
      {(fault || told.has(group.id)) && <p className={s.fault} role="alert"><Icon name="danger" size={14} />{fault ? words.faults[fault] : told.get(group.id)}</p>}
      <div className={s.line}>
        <Button size="s" icon="plus" onPress={() => onChange(appended(root, group.id, newCondition('text')))}>{words.addCondition}</Button>
        {turned + 1 < kMostDepth && (
          <Button size="s" kind="quiet" icon="plus" onPress={() => onChange(appended(root, group.id, newGroup('any', [newCondition('text')])))}>{words.addGroup}</Button>
        )}
      </div>
    </fieldset>
  );
}

import {useTemplates} from '../../api/templates.ts';
import {useScope} from '../../api/scope.tsx';
import type {Template} from '../../api/entities.ts';
import {useHeld} from '../../session/provider.tsx';
import {useTexts} from '../../texts/index.tsx';
import s from './inbox.module.css';
import {Linked} from './linked.tsx';
import type {Said} from './message_words.ts';
import {filled, partsOf} from './template_values.ts';

/** What a template message is made of, where the template is known. */
export function useTemplateOf(said: Said | null): {template: Template | undefined; values: Readonly<Record<string, string>>; given: readonly string[]} {
  const {store} = useScope();
  const {name = '', language = ''} = said ?? {};
  const mayRead = useHeld('Get:MessageTemplates') ?? false;
  const {ids} = useTemplates({name, language}, mayRead && name !== '');
  const template = ids[0] === undefined ? undefined : store.get('template', ids[0]) ?? undefined;
  const values: Record<string, string> = {};
  const given: string[] = [];
  for (const component of said?.components ?? []) {
    component.parameters?.forEach((each, place) => {
      const part = component.type?.toLowerCase() ?? '';
      if (each.text === undefined) return;
      values[`${part}/${each.parameter_name ?? place + 1}`] = each.text;
      if (part !== 'button') given.push(each.text);
    });
  }
  return {template, values, given};
}

export const wordsOfPart = (text: string | undefined, part: string, values: Readonly<Record<string, string>>): string =>
  filled(text ?? '', part, values).map((each) => each.text).join('');

/** The words of a template as the contact reads them; its name where the template is not known. */
export function TemplateWords({said}: {said: Said}) {
  const {inbox} = useTexts();
  const {template, values, given} = useTemplateOf(said);
  if (!template) return <>{inbox.types.Template}{said.name && <>: <bdi>{said.name}</bdi></>}{given.length > 0 && '\n' + given.join('\n')}</>;
  const {header, body, footer, buttons} = partsOf(template);
  return (
    <>
      {header?.text && <strong className={s.template_part}>{wordsOfPart(header.text, 'header', values)}</strong>}
      <Linked text={wordsOfPart(body?.text, 'body', values)} />
      {footer?.text && <span className={s.template_foot}>{footer.text}</span>}
      {buttons.length > 0 && <span className={s.template_buttons}>{buttons.map((each, place) => <span key={place}>{each.text}</span>)}</span>}
    </>
  );
}

import type {components} from '#schema';
import type {Contact, Template} from '../../api/entities.ts';

type TemplateContent = components['schemas']['TemplateContent'];

/** One place of a template that wants a value. */
export interface Blank {
  /** Names it among all of the template. */
  readonly id: string;
  readonly part: 'header' | 'body' | 'button';
  /** `1`, or a name. */
  readonly variable: string;
  /** Of a button: its place. */
  readonly button: number | null;
  readonly subType: 'url' | 'copy_code' | null;
  readonly example: string;
}

export type MediaFormat = 'IMAGE' | 'VIDEO' | 'DOCUMENT';

interface Component {
  type?: string;
  format?: string;
  text?: string;
  example?: Record<string, unknown>;
  buttons?: {type?: string; text?: string; url?: string; example?: unknown}[];
}

const kVariable = /\{\{\s*([\w.]+)\s*\}\}/g;

export function partsOf(template: Template): {header?: Component; body?: Component; footer?: Component; buttons: NonNullable<Component['buttons']>} {
  const all = template.components as Component[];
  const of = (type: string) => all.find((each) => each.type?.toUpperCase() === type);
  const header = of('HEADER');
  const body = of('BODY');
  const footer = of('FOOTER');
  return {...(header && {header}), ...(body && {body}), ...(footer && {footer}), buttons: of('BUTTONS')?.buttons ?? []};
}

/** A file that stands above the words, and must be given with each message. */
export function mediaOf(template: Template): MediaFormat | null {
  const format = partsOf(template).header?.format?.toUpperCase();
  return format === 'IMAGE' || format === 'VIDEO' || format === 'DOCUMENT' ? format : null;
}

/** Why a template cannot be filled in here, such as a carousel, whose cards have variables of their own. */
export function isUnusual(template: Template): boolean {
  const known = ['HEADER', 'BODY', 'FOOTER', 'BUTTONS'];
  const all = template.components as Component[];
  if (all.some((each) => !known.includes(each.type?.toUpperCase() ?? ''))) return true;
  const {header, buttons} = partsOf(template);
  return header?.format?.toUpperCase() === 'LOCATION' || buttons.some((each) => ['CATALOG', 'MPM', 'FLOW'].includes(each.type?.toUpperCase() ?? ''));
}

export function blanksOf(template: Template): Blank[] {
  const {header, body, buttons} = partsOf(template);
  const blanks: Blank[] = [];
  const add = (part: 'header' | 'body', component: Component | undefined) => {
    for (const variable of variablesOf(component?.text ?? '')) {
      blanks.push({id: `${part}/${variable}`, part, variable, button: null, subType: null, example: exampleOf(component, part, variable)});
    }
  };
  if (!mediaOf(template)) add('header', header);
  add('body', body);
  buttons.forEach((each, place) => {
    const type = each.type?.toUpperCase();
    const example = Array.isArray(each.example) ? String(each.example[0] ?? '') : String(each.example ?? '');
    if (type === 'URL')
      for (const variable of variablesOf(each.url ?? ''))
        blanks.push({id: `button/${place}/${variable}`, part: 'button', variable, button: place, subType: 'url', example});
    if (type === 'COPY_CODE')
      blanks.push({id: `button/${place}/code`, part: 'button', variable: 'code', button: place, subType: 'copy_code', example});
  });
  return blanks;
}

function variablesOf(text: string): string[] {
  return [...new Set([...text.matchAll(kVariable)].map((found) => found[1] ?? ''))];
}

function exampleOf(component: Component | undefined, part: 'header' | 'body', variable: string): string {
  const example = component?.example ?? {};
  const named = example[part + '_text_named_params'];
  if (Array.isArray(named)) {
    const found = (named as {param_name?: string; example?: string}[]).find((each) => each.param_name === variable);
    return found?.example ?? '';
  }
  const list = example[part + '_text'];
  if (!Array.isArray(list)) return '';
  const row: unknown[] = Array.isArray(list[0]) ? list[0] : list;
  return String(row[Number(variable) - 1] ?? '');
}

export type Values = Readonly<Record<string, string>>;

/** A text with its values. What has none yet is left as it is, so that one sees where it goes. */
export function filled(text: string, part: string, values: Values): {text: string; isValue: boolean}[] {
  const pieces: {text: string; isValue: boolean}[] = [];
  let from = 0;
  for (const found of text.matchAll(kVariable)) {
    if (found.index > from) pieces.push({text: text.slice(from, found.index), isValue: false});
    pieces.push({text: values[`${part}/${found[1]}`] || found[0], isValue: true});
    from = found.index + found[0].length;
  }
  if (from < text.length) pieces.push({text: text.slice(from), isValue: false});
  return pieces;
}

/** What `sendMessage` takes. */
export function contentOf(template: Template, values: Values, media: {id: string; fileName?: string} | null): TemplateContent {
  const all: unknown[] = [];
  const blanks = blanksOf(template);
  const isNamed = (blank: Blank) => !/^\d+$/.test(blank.variable);
  const textOf = (blank: Blank) => ({type: 'text', text: (values[blank.id] ?? '').trim(), ...(isNamed(blank) && {parameter_name: blank.variable})});
  const format = mediaOf(template)?.toLowerCase();
  if (format && media) {
    const file = {id: media.id, ...(format === 'document' && media.fileName && {filename: media.fileName})};
    all.push({type: 'header', parameters: [{type: format, [format]: file}]});
  }
  for (const part of ['header', 'body'] as const) {
    const mine = blanks.filter((each) => each.part === part);
    if (mine.length > 0) all.push({type: part, parameters: mine.map(textOf)});
  }
  for (const blank of blanks.filter((each) => each.part === 'button')) {
    const text = (values[blank.id] ?? '').trim();
    const parameter = blank.subType === 'copy_code' ? {type: 'coupon_code', coupon_code: text} : {type: 'text', text};
    all.push({type: 'button', sub_type: blank.subType, index: String(blank.button), parameters: [parameter]});
  }
  return {name: template.name, language: template.language, ...(all.length > 0 && {components: all as NonNullable<TemplateContent['components']>})};
}

/** What is known of a contact, as values: `name`, `phone` and the attributes that are a word or a number. */
export function fieldsOf(contact: Contact | null | undefined): {id: string; value: string}[] {
  if (!contact) return [];
  const fields = [{id: 'name', value: contact.name}, {id: 'phone', value: contact.phone ?? ''}];
  for (const [id, value] of Object.entries(contact.attributes))
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') fields.push({id, value: String(value)});
  return fields.filter((each) => each.value.trim() !== '');
}

/** Named variables that are called as a field of the contact have its value. */
export function firstValues(template: Template, contact: Contact | null | undefined): Record<string, string> {
  const fields = new Map(fieldsOf(contact).map((each) => [each.id.toLowerCase(), each.value]));
  const values: Record<string, string> = {};
  for (const blank of blanksOf(template)) {
    const name = blank.variable.toLowerCase();
    const value = fields.get(name) ?? (name === 'first_name' ? fields.get('name')?.split(' ')[0] : undefined);
    if (value !== undefined) values[blank.id] = value;
  }
  return values;
}

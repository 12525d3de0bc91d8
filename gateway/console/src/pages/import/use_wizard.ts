import {useMemo, useState} from 'react';
import {useRouter, useSearch} from '@tanstack/react-router';
import {useStartImport} from '../../api/imports.ts';
import {useListById} from '../../api/lists.ts';
import {useHeld} from '../../session/provider.tsx';
import {useAddress} from '../../shell/address.ts';
import {useIsHere} from '../../shell/is_here.ts';
import {text} from '../../shell/search.ts';
import {toasts} from '../../shell/toasts.ts';
import {useUnsaved} from '../../shell/unsaved.ts';
import {useTexts} from '../../texts/index.tsx';
import {faultsOf, guessColumns, judge, mappingText, type Column} from './columns.ts';
import {asUtf8} from './encoding.ts';
import type {ImportChoices} from './options.tsx';
import {phoneRegions} from './phone.ts';
import {readStart, type ReadFile} from './read_file.ts';

export const kSteps = ['file', 'columns', 'check'] as const;

/** The country of the browser's language, for numbers as they are dialled at home. */
const homeCountry = () => navigator.languages.map((each) => each.split('-')[1] ?? '').find((region) => phoneRegions.includes(region)) ?? '';

/** A file on its way to be an import: chosen, its columns mapped, its rows checked, sent. */
export function useWizard() {
  const {imports: words} = useTexts();
  const router = useRouter();
  const to = useAddress();
  const [step, setStep] = useState<(typeof kSteps)[number]>('file');
  const [file, setFile] = useState<ReadFile | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [columns, setColumns] = useState<readonly Column[]>([]);
  const [chosen, setChosen] = useState<Omit<ImportChoices, 'list'> & Partial<ImportChoices>>(() => ({country: homeCountry(), onConflict: 'skip'}));
  const {list, ...listState} = useWantedList(chosen.list);
  const mayUpdate = useHeld('Update:Contact');  // a role may lose it when it is chosen already
  const choices: ImportChoices = {...chosen, list, ...(mayUpdate === false && {onConflict: 'skip'})};
  const [isTried, setTried] = useState(false);
  const [isMapped, setMapped] = useState(false);  // by hand
  const [sent, setSent] = useState<number | null>(null);
  const [stop, setStop] = useState<AbortController | null>(null);
  const isHere = useIsHere();
  useUnsaved(sent !== null, {isKeptInTab: true});
  useUnsaved(isMapped && sent === null);
  const start = useStartImport();
  const faults = faultsOf(columns);
  const judged = useMemo(() => (file ? judge(columns, file.rows, choices.country) : []), [file, columns, choices.country]);
  const isAllJudged = file !== null && file.isWhole && file.count === judged.length;
  const taken = judged.filter(({fault, repeats}) => !fault && (repeats === null || choices.onConflict === 'update')).length;
  // Without a country, the service may know better.
  const isSure = isAllJudged && (choices.country !== '' || judged.every(({fault}) => fault?.kind !== 'phone'));

  const choose = async (chosen: File) => {
    setFault(null);
    const read = await readStart(chosen).catch(() => null);
    if (!read) return setFault(words.unreadable);
    if (read.fault) return setFault(read.fault === 'not csv' ? words.notCsv : read.fault === 'no rows' ? words.noRows : words.broken(read.brokenAt ?? 1));
    setFile(read);
    setColumns(guessColumns(read.headers, read.rows, choices.country));
    setMapped(false);
    setStep('columns');
  };
  const check = () => {
    setTried(true);
    if (faults.length === 0 && !listState.isGone) setStep('check');
  };
  const run = async () => {
    if (!file) return;
    setFault(null);
    const abort = new AbortController();
    setStop(abort);
    setSent(0);
    try {
      const made = await start.change({
        file: await asUtf8(file.file, file.encoding), onSent: setSent, signal: abort.signal,
        options: {
          on_conflict: choices.onConflict, mapping: mappingText(columns),
          ...(choices.country && {country: choices.country}), ...(choices.list && {list_id: choices.list.id}),
        },
      });
      const open = () => void router.navigate({href: to('imports/' + made.uniqueId)});
      if (isHere.current) open();
      else toasts.add({title: words.begun, text: file.file.name, action: {text: words.show, onPress: open}}, {timeout: 10_000});
    } catch {
      setSent(null); // what is wrong stands above the buttons
      if (await file.file.slice(0, 1).arrayBuffer().then(() => false, () => true)) setFault(words.unreadable); // it was changed, or is gone
    }
  };
  return {
    step, setStep, file, choose, fault, columns, judged, isAllJudged, choices, listState, check,
    setColumns: (changed: readonly Column[]) => {
      setMapped(true);
      setColumns(changed);
    },
    setChoices: (change: Partial<ImportChoices>) => setChosen((before) => ({...before, ...change})),
    /** How many of the judged rows will be taken, and whether that is all of the file and certain. */
    taken, isSure,
    /** Of the columns, once one has tried to go on. */
    faults: isTried ? faults : [],
    /** `share`: how much is sent; null where nothing is under way. */
    send: {share: sent, problem: start.problem, start: run, stop: () => stop?.abort()},
  };
}

/**
 * The list that all join: the one that was chosen, else that of `?list=`, also while its name is not known; null where one may not
 * choose one. `lacking`: the permission for it.
 */
function useWantedList(chosen: ImportChoices['list'] | undefined) {
  const {contacts: words} = useTexts();
  const asked = text(useSearch({strict: false}).list);
  const ofAddress = chosen === undefined ? asked : undefined;
  const [mayJoin, maySee] = [useHeld('Update:List'), useHeld('Get:List')];
  const {value, problem} = useListById(mayJoin && maySee && ofAddress ? ofAddress : null);
  const wanted = ofAddress ? {id: ofAddress, text: value ? value.name : value === null ? words.unknownName : '…'} : chosen ?? null;
  const lacking = !wanted ? null : mayJoin === false ? 'Update:List' : maySee === false ? 'Get:List' : null;
  return {list: lacking ? null : wanted, lacking, isGone: value === null, problem: value === undefined ? problem : null};
}

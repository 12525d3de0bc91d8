import {Suspense, useMemo, useState} from 'react';
import {useRouter} from '@tanstack/react-router';
import {useStartImport} from '../../api/imports.ts';
import {Banner} from '../../design/banner.tsx';
import {Button, ButtonRow} from '../../design/button.tsx';
import {Card} from '../../design/card.tsx';
import {FileDrop} from '../../design/file_drop.tsx';
import {Page, PageHeader, Stack} from '../../design/page.tsx';
import {ProgressBar} from '../../design/progress.tsx';
import {ForbiddenState} from '../../design/state.tsx';
import {Stepper} from '../../design/stepper.tsx';
import {part} from '../../parts.ts';
import {useHeld} from '../../session/provider.tsx';
import {useAddress} from '../../shell/address.ts';
import {useIsHere} from '../../shell/is_here.ts';
import {wordsOf} from '../../shell/problem.tsx';
import {useTitle} from '../../shell/title.tsx';
import {toasts} from '../../shell/toasts.ts';
import {useUnsaved} from '../../shell/unsaved.ts';
import {useFormat, useTexts} from '../../texts/index.tsx';
import {faultsOf, guessColumns, judge, mappingText, type Column} from './columns.ts';
import {asUtf8} from './encoding.ts';
import type {ImportChoices} from './options.tsx';
import {phoneRegions} from './phone.ts';
import {readStart, type ReadFile} from './read_file.ts';

const MapColumns = part(() => import('./map_columns.tsx'), (file) => file.MapColumns);
const Options = part(() => import('./options.tsx'), (file) => file.Options);
const CheckRows = part(() => import('./check_rows.tsx'), (file) => file.CheckRows);

const kSteps = ['file', 'columns', 'check'] as const;

/** The country of the browser's language, for numbers as they are dialled at home. */
const homeCountry = () => navigator.languages.map((each) => each.split('-')[1] ?? '').find((region) => phoneRegions.includes(region)) ?? '';

export default function ImportPage() {
  const {imports: words, shell} = useTexts();
  useTitle(words.wizard);
  const format = useFormat();
  const router = useRouter();
  const to = useAddress();
  const mayImport = useHeld('BulkImport:Contacts');
  const [step, setStep] = useState<(typeof kSteps)[number]>('file');
  const [file, setFile] = useState<ReadFile | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [columns, setColumns] = useState<readonly Column[]>([]);
  const [choices, setChoices] = useState<ImportChoices>(() => ({country: homeCountry(), onConflict: 'skip', list: null}));
  const [isTried, setTried] = useState(false);
  const [sent, setSent] = useState<number | null>(null);
  const [stop, setStop] = useState<AbortController | null>(null);
  const isHere = useIsHere();
  useUnsaved(sent !== null, {isKeptInTab: true});
  const start = useStartImport();
  const faults = faultsOf(columns);
  const judged = useMemo(() => (file ? judge(columns, file.rows, choices.country) : []), [file, columns, choices.country]);
  if (mayImport === false) return <Page header={<PageHeader title={words.wizard} />}><ForbiddenState title={shell.forbidden} permission="BulkImport:Contacts">{shell.forbiddenText}</ForbiddenState></Page>;

  const choose = async (chosen: File) => {
    setFault(null);
    const read = await readStart(chosen).catch(() => null);
    if (!read) return setFault(words.unreadable);
    if (read.fault) return setFault(read.fault === 'not csv' ? words.notCsv : read.fault === 'no rows' ? words.noRows : words.broken(read.brokenAt ?? 1));
    setFile(read);
    setColumns(guessColumns(read.headers, read.rows, choices.country));
    setStep('columns');
  };
  const check = () => {
    setTried(true);
    if (faults.length === 0) setStep('check');
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
  const place = kSteps.indexOf(step);
  return (
    <Page wide={step === 'check'} header={<PageHeader back={{href: to('contacts'), text: shell.pages.contacts}} title={words.wizard}
                              {...(file && {description: <><bdi>{file.file.name}</bdi>, {words.fileNote(file.count, file.isWhole, format.bytes(file.file.size))}</>})} />}>
      <Stack>
        <Stepper label={words.steps.label} steps={kSteps.map((id, index) => {
          const state = index < place ? 'done' as const : index === place ? 'current' as const : 'open' as const;
          return {id, text: words.steps[id], state, stateText: words.steps[state]};
        })} />
        {step === 'file' && <FileDrop label={words.drop} choose={words.choose} description={words.dropText} accept={['.csv', '.tsv', '.txt', 'text/csv']} onFile={(chosen) => void choose(chosen)} error={fault} />}
        {step === 'columns' && file && (
          <Suspense>
            {file.encoding !== 'utf-8' && <Banner kind="warning" live title={words.readAs(file.encoding.toUpperCase())}>{words.readAsNote}</Banner>}
            <Card title={words.mapping}><MapColumns columns={columns} rows={file.rows} onChange={setColumns} faults={isTried ? faults : []} /></Card>
            <Card title={words.options}><Options choices={choices} onChange={setChoices} /></Card>
            <ButtonRow end>
              <Button onPress={() => setStep('file')}>{words.back}</Button>
              <Button kind="primary" onPress={check}>{words.toCheck}</Button>
            </ButtonRow>
          </Suspense>
        )}
        {step === 'check' && file && (
          <Suspense>
            <CheckRows columns={columns} rows={judged} isAll={file.isWhole && file.count === judged.length} country={choices.country} />
            {fault && <Banner kind="danger" live>{fault}</Banner>}
            {start.problem && !fault && sent === null && <Banner kind="danger" live>{wordsOf(start.problem, shell)}{start.problem.faults.map(({detail}) => <p key={detail} dir="auto">{detail}</p>)}</Banner>}
            {sent !== null ? (
              <Card>
                <Stack>
                  <ProgressBar label={words.sending} value={sent * 100} valueText={words.sent(format.percent(sent, 0))} />
                  <div><Button onPress={() => stop?.abort()}>{words.stop}</Button></div>
                </Stack>
              </Card>
            ) : (
              <ButtonRow end>
                <Button onPress={() => setStep('columns')}>{words.back}</Button>
                <Button kind="primary" icon="upload" onPress={() => void run()}>{words.start(file.count, file.isWhole)}</Button>
              </ButtonRow>
            )}
          </Suspense>
        )}
      </Stack>
    </Page>
  );
}

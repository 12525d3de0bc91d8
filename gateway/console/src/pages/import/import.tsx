import {Suspense} from 'react';
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
import {wordsOf} from '../../shell/problem.tsx';
import {useTitle} from '../../shell/title.tsx';
import {useFormat, useTexts} from '../../texts/index.tsx';
import {kSteps, useWizard} from './use_wizard.ts';

const MapColumns = part(() => import('./map_columns.tsx'), (file) => file.MapColumns);
const Options = part(() => import('./options.tsx'), (file) => file.Options);
const CheckRows = part(() => import('./check_rows.tsx'), (file) => file.CheckRows);

export default function ImportPage() {
  const {imports: words, shell} = useTexts();
  useTitle(words.wizard);
  const format = useFormat();
  const to = useAddress();
  const mayImport = useHeld('BulkImport:Contacts');
  const {step, setStep, file, choose, fault, columns, setColumns, faults, judged, isAllJudged, taken, isSure, choices, listState, setChoices, check, send} = useWizard();
  if (mayImport === false) return <Page header={<PageHeader title={words.wizard} />}><ForbiddenState title={shell.forbidden} permission="BulkImport:Contacts">{shell.forbiddenText}</ForbiddenState></Page>;

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
        {step !== 'file' && <ListBanner {...listState} />}
        {step === 'columns' && file && (
          <Suspense>
            {file.encoding !== 'utf-8' && <Banner kind="warning" live title={words.readAs(file.encoding.toUpperCase())}>{words.readAsNote}</Banner>}
            <Card title={words.mapping}><MapColumns columns={columns} rows={file.rows} onChange={setColumns} faults={faults} /></Card>
            <Card title={words.options}><Options choices={choices} onChange={setChoices} /></Card>
            <ButtonRow end>
              <Button onPress={() => setStep('file')}>{words.back}</Button>
              <Button kind="primary" onPress={check}>{words.toCheck}</Button>
            </ButtonRow>
          </Suspense>
        )}
        {step === 'check' && file && (
          <Suspense>
            <CheckRows columns={columns} rows={judged} taken={taken} isAll={isAllJudged} choices={choices} brokenAt={file.brokenAt} />
            {fault && <Banner kind="danger" live>{fault}</Banner>}
            {send.problem && !fault && send.share === null && <Banner kind="danger" live>{wordsOf(send.problem, shell)}{send.problem.faults.map(({detail}) => <p key={detail} dir="auto">{detail}</p>)}</Banner>}
            {send.share !== null ? (
              <Card>
                <Stack>
                  <ProgressBar label={words.sending} value={send.share * 100} valueText={words.sent(format.percent(send.share, 0))} />
                  <div><Button onPress={send.stop}>{words.stop}</Button></div>
                </Stack>
              </Card>
            ) : (
              <ButtonRow end>
                <Button onPress={() => setStep('columns')}>{words.back}</Button>
                <Button kind="primary" icon="upload" isDisabled={isSure && taken === 0} onPress={() => void send.start()}>{isSure && taken < file.count ? words.startSome(taken, file.count) : words.start(file.count, file.isWhole)}</Button>
              </ButtonRow>
            )}
          </Suspense>
        )}
      </Stack>
    </Page>
  );
}

/** Why nobody joins the list that is wanted, or why its name is not known. */
function ListBanner({lacking, isGone, problem}: ReturnType<typeof useWizard>['listState']) {
  const {imports: words, shell} = useTexts();
  if (lacking) return <Banner kind="warning" live title={words.listNone}>{words.takes(lacking)}</Banner>;
  if (isGone) return <Banner kind="warning" live title={words.listGone} />;
  return problem && <Banner kind="warning" live title={`${words.list}: …`}>{wordsOf(problem, shell)}</Banner>;
}

import {useEffect, useState} from 'react';
import {useParams} from '@tanstack/react-router';
import {failedRowsAddress, useCancelImport, useImport} from '../../api/imports.ts';
import {useListById} from '../../api/lists.ts';
import {useScope} from '../../api/scope.tsx';
import {Badge} from '../../design/badge.tsx';
import {Banner} from '../../design/banner.tsx';
import {Button, ButtonLink} from '../../design/button.tsx';
import {Card, DescriptionList, Figure, Figures} from '../../design/card.tsx';
import {AlertDialog} from '../../design/dialog.tsx';
import {Page, PageHeader, Stack} from '../../design/page.tsx';
import {Loading, ProgressBar, Skeleton} from '../../design/progress.tsx';
import {Cell, Clip, HeaderCell, Row, Table, TableBody, TableHead} from '../../design/table.tsx';
import {DownloadLink} from '../contacts/download_link.tsx';
import {useAddress} from '../../shell/address.ts';
import {ProblemState, wordsOf} from '../../shell/problem.tsx';
import {useTitle} from '../../shell/title.tsx';
import {useFormat, useTexts} from '../../texts/index.tsx';
import {importTones, isUnderWay} from '../imports/import_row.tsx';

const kPoll = 3000;

export default function ImportReportPage() {
  const {import: id = ''} = useParams({strict: false});
  const {imports: words, shell} = useTexts();
  useTitle(words.report);
  const format = useFormat();
  const to = useAddress();
  const scope = useScope();
  const {value, problem, retry} = useImport(id);
  const cancel = useCancelImport();
  const [isCancelling, setCancelling] = useState(false);
  const {value: list} = useListById(value?.listId ?? null);
  const isRunning = value ? isUnderWay(value.status) : false;
  const needsErrors = value !== undefined && value !== null && value.errors === undefined; // it came with the list of imports
  useEffect(() => { // events tell of it; where they do not come it is asked for
    if (!isRunning && !needsErrors) return;
    if (needsErrors) retry();
    const timer = setInterval(retry, kPoll);
    return () => clearInterval(timer);
  }, [isRunning, needsErrors]);
  const back = {href: to('imports'), text: words.title};
  if (!value)
    return (
      <Page header={<PageHeader back={back} title={words.report} />}>
        {problem ? <ProblemState problem={problem} retry={retry} /> : value === null ? <p>{shell.notFoundText}</p> : <Loading label={words.loading}><Skeleton kind="row" lines={6} /></Loading>}
      </Page>
    );
  const figures = ['rowsRead', 'imported', 'updated', 'skipped', 'failed'] as const;
  return (
    <Page header={
      <PageHeader back={back} title={words.reportOf(format.dateTime(value.createdAt))} description={<Badge tone={importTones[value.status]}>{words.statuses[value.status]}</Badge>}
                  actions={isRunning ? <Button onPress={() => setCancelling(true)}>{words.cancelImport}</Button> : <ButtonLink icon="contacts" href={to('contacts', value.listId ? {list: value.listId} : {})}>{words.toContacts}</ButtonLink>} />
    }>
      <Stack>
        {value.status === 'Failed' && <Banner kind="danger" title={words.failedTitle}><span dir="auto">{value.failure}</span></Banner>}
        {cancel.problem && <Banner kind="danger" live>{wordsOf(cancel.problem, shell)}</Banner>}
        {isRunning && <Card><ProgressBar label={words.progress} value={value.percent} valueText={words.percent(value.rowsRead, value.percent)} /></Card>}
        <Card flush>
          <Figures>{figures.map((name) => <Figure key={name} label={words.figures[name]} value={format.number(value[name])} {...(name === 'skipped' && value.skipped > 0 && {note: words.skippedNote})} />)}</Figures>
        </Card>
        {value.failed > 0 && (
          <Card flush title={words.failedRows}
                description={<>{value.errors && value.errors.length < value.failed && `${words.failedShown(value.errors.length, value.failed)}. `}{value.failedKept > 0 && words.downloadNote}</>}
                actions={value.failedKept > 0 && <DownloadLink href={failedRowsAddress(scope, id)}>{words.download(value.failedKept)}</DownloadLink>}>
            <Table label={words.failedRows} columns="5rem minmax(8rem, 1fr) minmax(0, 3fr)" narrow="4rem minmax(0, 1fr)">
              <TableHead><HeaderCell align="end">{words.line}</HeaderCell><HeaderCell wide>{words.column}</HeaderCell><HeaderCell>{words.detail}</HeaderCell></TableHead>
              <TableBody>
                {(value.errors ?? []).map(({line, column, detail}, place) => (
                  <Row key={place}><Cell align="end">{format.number(line)}</Cell><Cell wide><Clip>{column}</Clip></Cell><Cell><bdi>{detail}</bdi></Cell></Row>
                ))}
              </TableBody>
            </Table>
          </Card>
        )}
        <Card>
          <DescriptionList facts={[
            {term: words.facts.list, value: value.listId ? <bdi>{list?.name ?? '…'}</bdi> : words.none},
            {term: words.facts.conflict, value: value.onConflict === 'skip' ? words.skip : words.update},
            {term: words.facts.country, value: value.country ? new Intl.DisplayNames([format.locale], {type: 'region'}).of(value.country) ?? value.country : words.none},
            {term: words.facts.began, value: format.dateTime(value.createdAt)},
            ...(value.finishedAt ? [{term: words.facts.ended, value: format.dateTime(value.finishedAt)}] : []),
          ]} />
        </Card>
      </Stack>
      <AlertDialog isOpen={isCancelling} onOpenChange={setCancelling} title={words.cancelTitle} cancel={words.keepGoing} action={words.cancelImport} kind="primary" isPending={cancel.isUnderWay}
                   onAction={() => void cancel.change(id).then(() => setCancelling(false), () => setCancelling(false))}>{words.cancelText(value.rowsRead)}</AlertDialog>
    </Page>
  );
}

import {useImport} from '../../api/imports.ts';
import type {Import} from '../../api/entities.ts';
import {StatusDot, type Tone} from '../../design/badge.tsx';
import {Cell} from '../../design/table.tsx';
import {useFormat, useTexts} from '../../texts/index.tsx';

export const importTones: Readonly<Record<Import['status'], Tone>> = {
  Uploading: 'information', Queued: 'neutral', Running: 'information', Finished: 'ok', Failed: 'danger', Cancelled: 'warning',
};

export const isUnderWay = (status: Import['status']) => status === 'Uploading' || status === 'Queued' || status === 'Running';

/** How an import stands, as events tell it. */
export function ImportRow({id}: {id: string}) {
  const {imports: words} = useTexts();
  const format = useFormat();
  const {value} = useImport(id);
  if (!value) return null;
  return (
    <>
      <Cell><StatusDot tone={importTones[value.status]} live={value.status === 'Running'}>{words.statuses[value.status]}</StatusDot></Cell>
      <Cell align="end">{format.number(value.rowsRead)}</Cell>
      <Cell wide align="end">{format.number(value.imported)}</Cell>
      <Cell wide align="end" isMuted>{format.number(value.updated)}</Cell>
      <Cell wide align="end" isMuted>{format.number(value.skipped)}</Cell>
      <Cell wide align="end" isMuted={value.failed === 0}>{format.number(value.failed)}</Cell>
    </>
  );
}

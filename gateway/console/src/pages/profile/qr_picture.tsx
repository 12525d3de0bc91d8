import {useMemo} from 'react';
import {qrCode} from './qr.ts';
import s from './qr_picture.module.css';

const kQuiet = 4;  // modules around it that have to be light

/** Dark on light in both themes: cameras read nothing else. */
export function QrPicture({text, label}: {text: string; label: string}) {
  const code = useMemo(() => qrCode(text), [text]);
  const size = code.length + 2 * kQuiet;
  const path = code.flatMap((row, y) => row.flatMap((dark, x) => (dark ? `M${x + kQuiet} ${y + kQuiet}h1v1h-1z` : []))).join('');
  return (
    <svg className={s.code} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <rect className={s.light} width={size} height={size} />
      <path className={s.dark} d={path} />
    </svg>
  );
}

import type { Uptime } from '@vigie/contracts/uptime';
import { MeasureTable } from '../../kit/list/MeasureTable';
import { formatMs } from '../../ui/dates';
import { formatNumber } from '../../ui/plural';
import type { Period } from './periods';

const formatTime = (ms: number | null) => (ms === null ? '—' : formatMs(ms));

export const ResponseTable = ({ uptime, period }: { uptime: Uptime; period: Period }) => (
  <MeasureTable
    points={uptime.points}
    times={{ name: 'Début', format: period.formatPoint }}
    columns={[
      { name: 'Médiane', cellOf: ({ p50 }) => formatTime(p50) },
      { name: '95\u202f%', cellOf: ({ p95 }) => formatTime(p95) },
      { name: 'Réussis', cellOf: ({ ups }) => formatNumber(ups) },
      { name: 'Échecs', cellOf: ({ downs }) => formatNumber(downs) },
    ]}
    maxHeight={320}
  />
);

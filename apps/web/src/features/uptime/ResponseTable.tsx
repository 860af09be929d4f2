import { Box } from '@mantine/core';
import type { Uptime } from '@vigie/contracts/uptime';
import table from '../../kit/list/list.module.css';
import { formatMs } from '../../ui/dates';
import { formatNumber } from '../../ui/plural';
import type { Period } from './periods';

const formatTime = (ms: number | null) => (ms === null ? '—' : formatMs(ms));

/** The same measures as text, the newest first. */
export const ResponseTable = ({ uptime, period }: { uptime: Uptime; period: Period }) => (
  <Box
    component="section"
    // Keyboards scroll what has the focus.
    tabIndex={0}
    aria-label="Mesures"
    mah={320}
    style={{ overflowY: 'auto', '--header': '0px', '--line': '32px' }}
  >
    <table className={table['table']} style={{ tableLayout: 'auto' }}>
      <thead>
        <tr>
          <th scope="col">Début</th>
          {['Médiane', '95\u202f%', 'Réussis', 'Échecs'].map((name) => (
            <th key={name} scope="col" data-align="right">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {uptime.points.toReversed().map(({ at, p50, p95, ups, downs }) => (
          <tr key={at}>
            <th scope="row">{period.formatPoint(Date.parse(at))}</th>
            <td data-align="right">{formatTime(p50)}</td>
            <td data-align="right">{formatTime(p95)}</td>
            <td data-align="right">{formatNumber(ups)}</td>
            <td data-align="right">{formatNumber(downs)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </Box>
);

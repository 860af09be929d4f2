import { Box } from '@mantine/core';
import table from '../../kit/list/list.module.css';
import { metrics } from './metrics';
import type { Period } from './periods';
import type { History } from './server-health.api';

/** The same measures as text, the newest first. */
export const HistoryTable = ({ history, period }: { history: History; period: Period }) => (
  <Box
    component="section"
    // Keyboards scroll what has the focus.
    tabIndex={0}
    aria-label="Mesures"
    mah={480}
    style={{ overflowY: 'auto', '--header': '0px', '--line': '32px' }}
  >
    <table className={table['table']} style={{ tableLayout: 'auto' }}>
      <thead>
        <tr>
          <th scope="col">Heure</th>
          {metrics.map(({ field, label }) => (
            <th key={field} scope="col" data-align="right">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {history.points.toReversed().map((point) => (
          <tr key={point.at}>
            <th scope="row">{period.formatPoint(Date.parse(point.at) / 1_000)}</th>
            {metrics.map(({ field, format }) => (
              <td key={field} data-align="right">
                {format(point[field])}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </Box>
);

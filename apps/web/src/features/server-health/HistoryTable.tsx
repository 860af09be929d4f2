import type { HealthPoint } from '@vigie/contracts/server-health';
import { MeasureTable } from '../../kit/list/MeasureTable';
import { metrics } from './metrics';
import type { Period } from './periods';
import type { History } from './server-health.api';

export const HistoryTable = ({ history, period }: { history: History; period: Period }) => (
  <MeasureTable<HealthPoint>
    points={history.points}
    times={{ name: 'Heure', format: (ms) => period.formatPoint(ms / 1_000) }}
    columns={metrics.map(({ field, label, format }) => ({ name: label, cellOf: (point) => format(point[field]) }))}
    maxHeight={480}
  />
);

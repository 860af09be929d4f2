import { Group, SimpleGrid, Text } from '@mantine/core';
import '@mantine/core/styles/SimpleGrid.layer.css';
import type { HistoryRange } from '@vigie/contracts/server-health';
import { ChartSpline } from 'lucide-react';
import type { ComponentProps } from 'react';
import { failureMessage } from '../../kit/query/failures';
import { usePollInterval, whileVisible } from '../../kit/query/usePollInterval';
import { Card } from '../../ui/Card';
import { Segments } from '../../ui/Choices';
import { EmptyState } from '../../ui/EmptyState';
import { Failure } from '../../ui/Failure';
import { ReadFailed } from '../../ui/ReadFailed';
import { RetryButton } from '../../ui/RetryButton';
import { Skeleton } from '../../ui/Skeleton';
import { HistoryChart } from './HistoryChart';
import { HistoryTable } from './HistoryTable';
import { metrics } from './metrics';
import { periods } from './periods';
import type { HistorySearch } from './search';
import { type History, serverHealthApi } from './server-health.api';
import { useServerHealth } from './useServerHealth';

const pollMs = 60_000;
const ranges = (['hour', 'day', 'month'] as const).map((value) => ({ value, label: periods[value].label }));
const views = [
  { value: 'curves', label: 'Courbes' },
  { value: 'table', label: 'Tableau' },
] as const;

function useHistory(id: string, range: HistoryRange) {
  const params = { id, range };
  const pollingInterval = usePollInterval(serverHealthApi.endpoints.healthHistory.useQueryState(params), pollMs);
  return serverHealthApi.useHealthHistoryQuery(params, {
    pollingInterval,
    refetchOnMountOrArgChange: true,
    ...whileVisible,
  });
}

type Props = { serverId: string; search: HistorySearch; onChange: (change: HistorySearch) => void };

function Tools({ search: { range = 'day', view }, onChange }: Omit<Props, 'serverId'>) {
  return (
    <Group gap={8}>
      <Segments
        label="Période"
        choices={ranges}
        value={range}
        onChange={(value) => onChange({ range: value === 'day' ? undefined : value })}
      />
      <Segments
        label="Présentation"
        choices={views}
        value={view ?? 'curves'}
        onChange={(value) => onChange({ view: value === 'table' ? value : undefined })}
      />
    </Group>
  );
}

const Curves = (props: Omit<ComponentProps<typeof HistoryChart>, 'metric'>) => (
  <SimpleGrid cols={{ base: 1, md: 2 }} spacing={0}>
    {metrics.map((metric) => (
      <HistoryChart key={metric.field} metric={metric} {...props} />
    ))}
  </SimpleGrid>
);

const NothingMeasured = () => (
  <EmptyState icon={ChartSpline} title="Rien n’a été mesuré sur cette période.">
    <p>Vigie mesure chaque serveur une fois par minute, tant qu’il répond par SSH.</p>
  </EmptyState>
);

type ContentProps = { serverId: string; history: History | undefined; search: HistorySearch };

/** The curves keep their room while they load. */
function Content({ serverId, history, search: { range = 'day', view } }: ContentProps) {
  const { currentData: health } = useServerHealth({ ids: serverId }).answer;
  const item = health?.items.find(({ id }) => id === serverId);
  const period = periods[range];
  if (history?.points.length === 0) return <NothingMeasured />;
  if (view !== 'table') return <Curves item={item} history={history} period={period} />;
  return history ? <HistoryTable history={history} period={period} /> : <Skeleton rows={15} height={32} />;
}

/** Load, memory, disk and processes of a server over time. */
export function HealthHistory({ serverId, search, onChange }: Props) {
  const { range = 'day' } = search;
  const { currentData: history, error, isFetching, refetch } = useHistory(serverId, range);
  const sentence = failureMessage(error, 'Les mesures de ce serveur n’ont pas pu être lues.');
  const retry = { isBusy: isFetching, onRetry: refetch };
  const hasFailed = !history && sentence !== undefined;
  return (
    <Card component="section" aria-labelledby="health-history" miw={0}>
      <Group
        justify="space-between"
        gap="8px 16px"
        p="8px var(--gutter)"
        style={{ borderBottom: '1px solid var(--border)' }}
      >
        <div>
          <h2 id="health-history">Mesures</h2>
          <Text fz={12} c="muted">
            {periods[range].step}
          </Text>
        </div>
        <Tools search={search} onChange={onChange} />
      </Group>
      {history && (
        <Failure sentence={sentence}>
          <RetryButton {...retry} />
        </Failure>
      )}
      {hasFailed ? (
        <ReadFailed sentence={sentence} {...retry} />
      ) : (
        <Content serverId={serverId} history={history} search={search} />
      )}
    </Card>
  );
}

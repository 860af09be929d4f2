import { Box, Group, Stack, Text } from '@mantine/core';
import { muteWords } from '@vigie/contracts/incident-words';
import type { Uptime } from '@vigie/contracts/uptime';
import { HeartPulse } from 'lucide-react';
import type { ReactNode } from 'react';
import { failureMessage } from '../../kit/query/failures';
import { usePollInterval, whileVisible } from '../../kit/query/usePollInterval';
import { spellUptime } from '../../kit/words/uptime';
import { Callout } from '../../ui/Callout';
import { Segments } from '../../ui/Choices';
import { Disclosure } from '../../ui/Disclosure';
import { EmptyState } from '../../ui/EmptyState';
import { Fact, FactList } from '../../ui/FactList';
import { Failure } from '../../ui/Failure';
import { Heartbeat } from '../../ui/Heartbeat';
import { ReadFailed } from '../../ui/ReadFailed';
import { RetryButton } from '../../ui/RetryButton';
import { SectionCard } from '../../ui/SectionCard';
import { Skeleton } from '../../ui/Skeleton';
import { TimeAgo } from '../../ui/TimeAgo';
import { useNow } from '../../ui/useNow';
import { type PeriodName, periodNames, periods } from './periods';
import { chartHeight, ResponseChart } from './ResponseChart';
import { ResponseTable } from './ResponseTable';
import type { UptimeSearch } from './search';
import styles from './uptime.module.css';
import { uptimeApi } from './uptime.api';
import { addressWords, beatTitle, dayWords, domainWords, explainBeats, intervalWords } from './words';

const pollMs = 60_000;

function useUptime(id: string, period: PeriodName) {
  const params = { id, days: periods[period].days };
  const pollingInterval = usePollInterval(uptimeApi.endpoints.uptime.useQueryState(params), pollMs);
  return uptimeApi.useUptimeQuery(params, { pollingInterval, refetchOnMountOrArgChange: true, ...whileVisible });
}

const Percents = ({ uptime }: Pick<Uptime, 'uptime'>) => (
  <FactList className={styles['percents'] ?? ''}>
    {periodNames.map((name) => (
      <Fact key={name} name={periods[name].label}>
        <Text span fz={16} fw={600}>
          {spellUptime(uptime[name])}
        </Text>
      </Fact>
    ))}
  </FactList>
);

/** A check is late after twice the usual interval. */
const maxIntervals = 2;

function LastCheck({ beats, interval_seconds: interval }: Pick<Uptime, 'beats' | 'interval_seconds'>) {
  const now = useNow(pollMs);
  const at = beats.at(-1)?.at;
  if (at === undefined) return null;
  const isLate = now.getTime() - Date.parse(at) > maxIntervals * interval * 1_000;
  const usual = `Un contrôle a lieu ${intervalWords(interval)}.`;
  return (
    <Text variant="note" c={isLate ? 'subtle' : 'muted'} title={usual}>
      Dernier contrôle <TimeAgo at={at} />
      {isLate && ', en retard'}
    </Text>
  );
}

const Beats = (props: Pick<Uptime, 'beats' | 'interval_seconds'>) => (
  <Stack gap={4}>
    <Group gap="4px 16px">
      <Heartbeat beats={props.beats.map((beat) => ({ state: beat.state, title: beatTitle(beat) }))} />
      <LastCheck {...props} />
    </Group>
    {explainBeats(props.beats).map((sentence) => (
      <Text key={sentence} variant="note">
        {sentence}
      </Text>
    ))}
  </Stack>
);

/** When the domain ends, and where the name leads. */
function Names({ domain, addresses }: Pick<Uptime, 'domain' | 'addresses'>) {
  const now = useNow(pollMs);
  return (
    <div>
      {domain && <Text variant="note">{domainWords(domain, now)}</Text>}
      {addresses && <Text variant="note">{addressWords(addresses)}</Text>}
    </div>
  );
}

const NotChecked = ({ interval }: { interval: number }) => (
  <EmptyState icon={HeartPulse} title="Pas encore de contrôle.">
    <p>{`Vigie visite ce site ${intervalWords(interval)}. Le premier contrôle ne tardera pas.`}</p>
  </EmptyState>
);

const NoTimes = () => (
  <Text c="muted" py={24} ta="center">
    Aucune réponse sur cette période.
  </Text>
);

function Times({ uptime, name }: { uptime: Uptime | undefined; name: PeriodName }) {
  const period = periods[name];
  if (!uptime) return <Box h={chartHeight + 24} />;
  if (uptime.points.length === 0) return <NoTimes />;
  return (
    <div>
      <ResponseChart uptime={uptime} period={period} />
      <Disclosure name="Voir les mesures en tableau">
        <ResponseTable uptime={uptime} period={period} />
      </Disclosure>
    </div>
  );
}

const choices = periodNames.map((value) => ({ value, label: periods[value].label }));

type Props = { siteId: string; search: UptimeSearch; onChange: (change: UptimeSearch) => void };
type ShownProps = Omit<Props, 'siteId'> & {
  uptime: Uptime;
  /** Of the period that was asked for; undefined while it is read. */
  current: Uptime | undefined;
};

function Shown({ uptime, current, search, onChange }: ShownProps) {
  const name: PeriodName = search.period ?? 'week';
  return (
    <>
      <Percents uptime={uptime.uptime} />
      {uptime.beats.length > 0 && <Beats {...uptime} />}
      {(uptime.domain ?? uptime.addresses) && <Names {...uptime} />}
      <Group justify="space-between" gap={8} mt={4}>
        <h3>Temps de réponse</h3>
        <Segments
          label="Période"
          choices={choices}
          value={name}
          onChange={(value) => onChange({ period: value === 'week' ? undefined : value })}
        />
      </Group>
      <Times uptime={current} name={name} />
    </>
  );
}

const aboutOf = ({ since, interval_seconds: interval }: Uptime): string | undefined =>
  since === null ? undefined : `Contrôlé ${intervalWords(interval)} depuis le ${dayWords(since)}`;

function InMaintenance({ until }: { until: string }) {
  const now = useNow(pollMs);
  return <Callout tone="info">{`En maintenance ${muteWords(until, now)}\u00a0: les échecs ne comptent pas.`}</Callout>;
}

/** How reachable a site was, its last checks, and how long it took to answer. */
export function UptimeCard({ siteId, search, onChange }: Props) {
  const { data, currentData, error, isFetching, refetch } = useUptime(siteId, search.period ?? 'week');
  const sentence = failureMessage(error, 'La disponibilité de ce site n’a pas pu être lue.');
  const retry = { isBusy: isFetching, onRetry: refetch };
  const content = (): ReactNode => {
    if (!data) return sentence === undefined ? <Skeleton rows={6} /> : <ReadFailed sentence={sentence} {...retry} />;
    if (data.since === null) return <NotChecked interval={data.interval_seconds} />;
    return <Shown uptime={data} current={currentData} search={search} onChange={onChange} />;
  };
  return (
    <SectionCard title="Disponibilité" about={data && aboutOf(data)}>
      {data && (
        <Failure sentence={sentence}>
          <RetryButton {...retry} />
        </Failure>
      )}
      {data?.maintenance_until && <InMaintenance until={data.maintenance_until} />}
      {content()}
    </SectionCard>
  );
}

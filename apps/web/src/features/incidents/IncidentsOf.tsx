import { Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { IncidentItem } from '@vigie/contracts/incidents';
import { failureMessage } from '../../kit/query/failures';
import { Callout } from '../../ui/Callout';
import { Failure } from '../../ui/Failure';
import { Lines } from '../../ui/Lines';
import links from '../../ui/links.module.css';
import { RetryButton } from '../../ui/RetryButton';
import { SectionCard } from '../../ui/SectionCard';
import { useNow } from '../../ui/useNow';
import { IncidentLine, IncidentLink } from './IncidentLine';
import styles from './incidents.module.css';
import { IncidentMarks } from './IncidentStatus';
import { useIncidentsQuery } from './useIncidents';
import { describeObservation, periodWords, severityTone } from './words';

type Subject = { siteId: string } | { serverId: string };

const refreshMs = 30_000;
const maxPast = 5;
/** The open ones come first: an object rarely has more than two at once. */
const maxRead = 10;

const paramsOf = (subject: Subject) =>
  'siteId' in subject ? { site_id: subject.siteId, limit: maxRead } : { server_id: subject.serverId, limit: maxRead };

function OpenIncident({ incident, now }: { incident: IncidentItem; now: Date }) {
  return (
    <Callout tone={severityTone(incident)}>
      <div className={styles['target']}>
        <IncidentLink incident={incident} now={now} />
      </div>
      <Text c="var(--text)" fw={400}>
        {`${periodWords(incident, now)}. `}
        {describeObservation(incident)}
      </Text>
      <Text component="div" c="var(--text)" fw={400}>
        <IncidentMarks incident={incident} now={now} />
      </Text>
    </Callout>
  );
}

/** What goes on at a site or server; nothing while it is well. */
export function OpenIncidents(subject: Subject) {
  const { currentData } = useIncidentsQuery(paramsOf(subject));
  const now = useNow(refreshMs);
  const open = currentData?.items.filter(({ state }) => state === 'open') ?? [];
  if (open.length === 0) return null;
  return (
    <Stack component="section" gap={8} aria-label="Incidents en cours">
      {open.map((incident) => (
        <OpenIncident key={incident.id} incident={incident} now={now} />
      ))}
    </Stack>
  );
}

/** The last incidents of a site or server that are over; nothing where there is none. */
export function PastIncidents(subject: Subject) {
  const { currentData, error, isFetching, refetch } = useIncidentsQuery(paramsOf(subject));
  const now = useNow(refreshMs);
  const past = currentData?.items.filter(({ state }) => state === 'resolved').slice(0, maxPast) ?? [];
  const sentence = failureMessage(error, 'Les incidents n’ont pas pu être lus.');
  if (past.length === 0 && sentence === undefined) return null;
  const search = {
    state: 'all',
    ...('siteId' in subject ? { site: subject.siteId } : { server: subject.serverId }),
  } as const;
  return (
    <SectionCard
      title="Incidents passés"
      aside={
        <span className={styles['target']}>
          <Link to="/incidents" search={search} className={links['within'] ?? ''}>
            Tous
          </Link>
        </span>
      }
    >
      <Failure sentence={sentence}>
        <RetryButton isBusy={isFetching} onRetry={refetch} />
      </Failure>
      <Lines mx={-16} mb={-8}>
        {past.map((incident) => (
          <IncidentLine key={incident.id} incident={incident} now={now} />
        ))}
      </Lines>
    </SectionCard>
  );
}

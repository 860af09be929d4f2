import { Button, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { incidentTitle } from '@vigie/contracts/incident-kinds';
import type { Incident } from '@vigie/contracts/incidents';
import { SearchX } from 'lucide-react';
import { PendingCard } from '../../kit/list/PendingCard';
import { isApiError } from '../../kit/query/api-error';
import { failureMessage } from '../../kit/query/failures';
import { Notice } from '../../ui/EmptyState';
import { Failure } from '../../ui/Failure';
import { PageHead } from '../../ui/Page';
import { usePageTitle } from '../../ui/pageTitle';
import { RetryButton } from '../../ui/RetryButton';
import { useNow } from '../../ui/useNow';
import { IncidentActions } from './IncidentActions';
import { IncidentFacts } from './IncidentFacts';
import { IncidentMarks, IncidentStatus } from './IncidentStatus';
import { Subjects } from './Subjects';
import { TimeLine } from './TimeLine';
import { useIncident } from './useIncidents';
import { describeObservation, periodWords } from './words';

const refreshMs = 30_000;
const readFailed = 'Impossible de lire cet incident.';

type ShownProps = { incident: Incident; readAt: number };

function Shown({ incident, readAt }: ShownProps) {
  const now = useNow(refreshMs);
  const title = incidentTitle(incident, now);
  usePageTitle(title);
  return (
    <>
      <PageHead>
        <Stack gap={4} miw={0}>
          <Group gap="4px 12px">
            <h1 id="incident" tabIndex={-1}>
              {title}
            </h1>
            <IncidentStatus incident={incident} />
          </Group>
          <Text c="muted">
            {`${periodWords(incident, now)}. `}
            {describeObservation(incident)}
          </Text>
          <output>
            <IncidentMarks incident={incident} now={now} />
          </output>
        </Stack>
      </PageHead>
      <IncidentActions incident={incident} now={now} readAt={readAt} />
      <IncidentFacts incident={incident} />
      <TimeLine incident={incident} />
      <Subjects incident={incident} now={now} />
    </>
  );
}

function IncidentNotFound() {
  usePageTitle('Incident introuvable');
  return (
    <Notice
      icon={SearchX}
      title="Incident introuvable"
      actions={
        <Button renderRoot={(props) => <Link {...props} to="/incidents" search={{}} />}>Voir les incidents</Button>
      }
    >
      <p>Il n’existe pas, ou il ne concerne aucun de vos sites.</p>
    </Notice>
  );
}

/** What fails or failed, since when, what was found out and done about it. */
export function IncidentPage({ id }: { id: string }) {
  const { currentData: incident, error, isFetching, refetch, fulfilledTimeStamp = 0 } = useIncident(id);
  if (isApiError(error) && (error.status === 404 || error.status === 400)) return <IncidentNotFound />;
  return (
    <Stack gap={16} maw={960}>
      {incident && (
        <Failure sentence={failureMessage(error, readFailed)}>
          <RetryButton isBusy={isFetching} onRetry={refetch} />
        </Failure>
      )}
      {incident ? (
        <Shown incident={incident} readAt={fulfilledTimeStamp} />
      ) : (
        <>
          <h1>Incident</h1>
          <PendingCard failure={readFailed} error={error} isFetching={isFetching} onRetry={() => void refetch()} />
        </>
      )}
    </Stack>
  );
}

import { Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { incidentTitle } from '@vigie/contracts/incident-kinds';
import type { IncidentItem } from '@vigie/contracts/incidents';
import links from '../../ui/links.module.css';
import styles from './incidents.module.css';
import { IncidentMarks, IncidentStatus } from './IncidentStatus';
import { describeObservation, periodWords } from './words';

type Props = { incident: IncidentItem; now: Date };

export const IncidentLink = ({ incident, now }: Props) => (
  <Link to="/incidents/$incidentId" params={{ incidentId: incident.id }} className={links['name'] ?? ''}>
    {incidentTitle(incident, now)}
  </Link>
);

/** An incident in a list. */
export const IncidentLine = ({ incident, now }: Props) => (
  <Group component="li" justify="space-between" align="flex-start" gap="4px 12px" px={16} py={10}>
    <Stack gap={2} miw={0} flex="1 1 240px">
      <div className={styles['target']}>
        <IncidentLink incident={incident} now={now} />
      </div>
      <Text variant="note">
        {`${periodWords(incident, now)}. `}
        {describeObservation(incident)}
      </Text>
      <IncidentMarks incident={incident} now={now} />
    </Stack>
    <Group gap={8}>
      <IncidentStatus incident={incident} />
    </Group>
  </Group>
);

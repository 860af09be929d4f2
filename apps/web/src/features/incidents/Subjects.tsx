import { Group, Stack, Text } from '@mantine/core';
import { endSentence } from '@vigie/contracts/french';
import { Link } from '@tanstack/react-router';
import {
  durationWords,
  momentWords,
  opinionDetails,
  stateWord,
  verdictSentence,
} from '@vigie/contracts/incident-words';
import { reasonOf } from '@vigie/contracts/incident-kinds';
import type { CauseKind, Incident, IncidentSubject } from '@vigie/contracts/incidents';
import { Lines } from '../../ui/Lines';
import links from '../../ui/links.module.css';
import { plural } from '../../ui/plural';
import { SectionCard } from '../../ui/SectionCard';
import { Status } from '../../ui/Status';
import styles from './incidents.module.css';
import { severityTone, stateTone } from './words';

/** The site or server, as a link to its page while it is in Vigie and the person's. */
export function SubjectLink({ kind, id, name }: Pick<IncidentSubject, 'id' | 'name'> & { kind: CauseKind }) {
  if (id === null || kind === 'vigie' || kind === 'domain') return name;
  const className = links['name'] ?? '';
  return kind === 'site' ? (
    <Link to="/sites/$siteId" params={{ siteId: id }} search={{}} className={className}>
      {name}
    </Link>
  ) : (
    <Link to="/servers/$serverId" params={{ serverId: id }} search={{}} className={className}>
      {name}
    </Link>
  );
}

type LineProps = { subject: IncidentSubject; incident: Incident; now: Date };

const periodOf = ({ since, until }: IncidentSubject, now: Date): string =>
  until === null
    ? `Depuis ${durationWords(now.getTime() - Date.parse(since))}.`
    : `Pendant ${durationWords(Date.parse(until) - Date.parse(since))}, jusqu’au ${momentWords(until)}.`;

/** What concerns a name is over for a site with another address too. */
const mayLeave = ({ kind }: Incident): boolean => kind === 'domain' || kind === 'dns';

function SubjectStatus({ subject: { until }, incident }: Omit<LineProps, 'now'>) {
  if (until === null) return <Status tone={severityTone(incident)}>Touché</Status>;
  // What was open to the end ended as the incident did, which a person may have closed.
  const isLast = incident.resolved_at !== null && until >= incident.resolved_at;
  return isLast ? (
    <Status tone={stateTone(incident)}>{stateWord(incident)}</Status>
  ) : (
    <Status tone="ok">{mayLeave(incident) ? 'Plus touché' : 'Rétabli'}</Status>
  );
}

function Line({ subject, incident, now }: LineProps) {
  const { evidence, opinion, until } = subject;
  const reason = reasonOf({ kind: incident.kind, evidence });
  const isOver = until !== null;
  return (
    <Group component="li" justify="space-between" align="flex-start" gap="4px 12px" py={10}>
      <Stack gap={2} miw={0} flex="1 1 240px">
        <div className={styles['target']}>
          <SubjectLink {...subject} />
        </div>
        <Text variant="note">
          {periodOf(subject, now)} {reason !== undefined && endSentence(reason)}
        </Text>
        {opinion && (
          <Text variant="note">
            {verdictSentence(opinion.verdict, { elsewhere: opinion.other?.server_name, isOver })}{' '}
            {opinionDetails(opinion)}
          </Text>
        )}
      </Stack>
      <SubjectStatus subject={subject} incident={incident} />
    </Group>
  );
}

/** The sites and servers that an incident has touched, those that still fail first; nothing where the cause says it all. */
export function Subjects({ incident, now }: Omit<LineProps, 'subject'>) {
  const { subjects, sites, cause } = incident;
  const others = sites - subjects.filter(({ kind }) => kind === 'site').length;
  const isCauseAlone = subjects.length === 1 && subjects[0]?.kind === cause.kind;
  if (subjects.length === 0 || isCauseAlone) return null;
  return (
    <SectionCard title={incident.state === 'open' ? 'Ce qui est touché' : 'Ce qui était touché'}>
      <Lines>
        {subjects.map((subject) => (
          <Line key={`${subject.kind} ${subject.id ?? subject.name}`} subject={subject} incident={incident} now={now} />
        ))}
      </Lines>
      {others > 0 && <Text variant="note">{`et ${plural(others, 'autre site', 'autres sites')}`}</Text>}
    </SectionCard>
  );
}

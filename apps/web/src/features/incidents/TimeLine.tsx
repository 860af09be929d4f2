import { Text } from '@mantine/core';
import { eventSentence } from '@vigie/contracts/incident-story';
import { momentWords, opinionDetails } from '@vigie/contracts/incident-words';
import type { Incident } from '@vigie/contracts/incidents';
import { JobLink } from '../../kit/job/JobLink';
import { formatDate } from '../../ui/dates';
import { SectionCard } from '../../ui/SectionCard';
import { CommentForm } from './CommentForm';
import styles from './incidents.module.css';

type Event = Incident['events'][number];

function EventLine({ event, incident }: { event: Event; incident: Incident }) {
  const { at, kind, text, opinion, job } = event;
  return (
    <li className={styles['event']} data-kind={kind}>
      <time dateTime={at} title={formatDate(new Date(at))}>
        {momentWords(at)}
      </time>
      <div>
        <p className={styles['target']}>
          {eventSentence(event, incident)} {job && <JobLink id={job.id}>Voir la tâche</JobLink>}
        </p>
        {text !== null && <p className={styles['comment']}>{text}</p>}
        {opinion && <Text variant="note">{opinionDetails(opinion)}</Text>}
      </div>
    </li>
  );
}

/** What happened, the oldest first, and room to add to it. */
export const TimeLine = ({ incident }: { incident: Incident }) => (
  <SectionCard title="Déroulé">
    <ol className={styles['events']}>
      {incident.events.map((event, index) => (
        // Events have no id, and are only ever added at the end.
        // oxlint-disable-next-line react/no-array-index-key
        <EventLine key={index} event={event} incident={incident} />
      ))}
    </ol>
    {incident.can_act && <CommentForm key={incident.id} id={incident.id} />}
  </SectionCard>
);

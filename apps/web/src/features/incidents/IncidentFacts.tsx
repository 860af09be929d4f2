import { momentWords } from '@vigie/contracts/incident-words';
import type { Incident } from '@vigie/contracts/incidents';
import type { ReactNode } from 'react';
import { Card } from '../../ui/Card';
import { formatDate } from '../../ui/dates';
import { Fact, FactList } from '../../ui/FactList';
import { formatNumber } from '../../ui/plural';
import styles from './incidents.module.css';
import { SubjectLink } from './Subjects';

const Moment = ({ at }: { at: string }) => (
  <time dateTime={at} title={formatDate(new Date(at))}>
    {momentWords(at)}
  </time>
);

const nobody = 'Personne';

/** When it began and ended, what it is about, and who looks after it. */
export function IncidentFacts({ incident }: { incident: Incident }) {
  const { cause, sites, failing, state, reopenings } = incident;
  const { resolved_at: resolvedAt, acknowledged_at: takenAt, acknowledged_by: taker } = incident;
  const facts: readonly (readonly [name: string, value: ReactNode])[] = [
    ['Premier échec', <Moment key="from" at={incident.observed_at} />],
    ['Incident ouvert', <Moment key="opened" at={incident.opened_at} />],
    ['Fin', resolvedAt === null ? 'Pas encore' : <Moment key="to" at={resolvedAt} />],
    ['Cause', <SubjectLink key="cause" {...cause} />],
    ...(sites > 1
      ? [
          [
            'Sites touchés',
            state === 'open' ? `${formatNumber(sites)}, dont ${formatNumber(failing)} encore` : formatNumber(sites),
          ] as const,
        ]
      : []),
    [
      'Pris en charge',
      takenAt === null ? (
        nobody
      ) : (
        <span key="taken">
          {taker ?? 'Quelqu’un'}, <Moment at={takenAt} />
        </span>
      ),
    ],
    ...(reopenings > 0 ? [['Rouvert', `${formatNumber(reopenings)} fois`] as const] : []),
  ];
  return (
    <Card px={{ base: 16, sm: 20 }} py={16}>
      <FactList className={styles['facts'] ?? ''}>
        {facts.map(([name, value]) => (
          <Fact key={name} name={name}>
            {value}
          </Fact>
        ))}
      </FactList>
    </Card>
  );
}

import { momentWords } from '@vigie/contracts/incident-words';
import type { Incident } from '@vigie/contracts/incidents';
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

type Props = { incident: Incident };

/** Who said that they look after it, and when. */
const Taken = ({ incident: { acknowledged_at: at, acknowledged_by: name } }: Props) =>
  at === null ? (
    'Personne'
  ) : (
    <>
      {name ?? 'Quelqu’un'}, <Moment at={at} />
    </>
  );

const countTouched = ({ sites, failing, state }: Incident): string =>
  state === 'open' ? `${formatNumber(sites)}, dont ${formatNumber(failing)} encore` : formatNumber(sites);

/** When it began and ended, what it is about, and who looks after it. */
export const IncidentFacts = ({ incident }: Props) => (
  <Card px={{ base: 16, sm: 20 }} py={16}>
    <FactList className={styles['facts'] ?? ''}>
      <Fact name="Début">
        <Moment at={incident.observed_at} />
      </Fact>
      <Fact name="Incident ouvert">
        <Moment at={incident.opened_at} />
      </Fact>
      <Fact name="Fin">{incident.resolved_at === null ? 'Pas encore' : <Moment at={incident.resolved_at} />}</Fact>
      <Fact name="Cause">
        <span className={styles['target']}>
          <SubjectLink {...incident.cause} />
        </span>
      </Fact>
      {incident.sites > 1 && <Fact name="Sites touchés">{countTouched(incident)}</Fact>}
      <Fact name="Pris en charge">
        <Taken incident={incident} />
      </Fact>
      {incident.reopenings > 0 && <Fact name="Rouvert">{`${formatNumber(incident.reopenings)}\u00a0fois`}</Fact>}
    </FactList>
  </Card>
);

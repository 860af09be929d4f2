import { Button } from '@mantine/core';
import type { ActivityItem } from '@vigie/contracts/activity';
import { CloudOff, History } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { isApiError, sentenceOf } from '../../app/api-error';
import { EmptyState } from '../../ui/EmptyState';
import { Failure } from '../../ui/Failure';
import { Skeleton } from '../../ui/Skeleton';
import { Status } from '../../ui/Status';
import { When } from '../../ui/When';
import styles from './ActivityList.module.css';
import { activityApi } from './activity.api';
import { badgeOf, deedOf, endOf } from './words';

const step = 10;
const most = 50;
const pollMs = 20_000;

function Line({ item }: { item: ActivityItem }) {
  const { actor, deed, target, more, reason } = deedOf(item);
  const end = endOf(item);
  const { tone, word } = badgeOf(item.type);
  return (
    <li className={styles['line']}>
      <div className={styles['what']}>
        <p>
          <strong>{actor}</strong> {deed} {target && <strong>{target}</strong>} {more}
        </p>
        {reason && <p className={styles['reason']}>{reason}</p>}
      </div>
      <div className={styles['facts']}>
        <Status tone={tone}>{word}</Status>
        {end && <Status tone={end.tone}>{end.word}</Status>}
        <When at={item.created_at} />
      </div>
    </li>
  );
}

type State = { items: readonly ActivityItem[] | undefined; sentence: string | undefined; again: ReactNode };

/** What there is to say instead of lines, or above them. */
function Notice({ items, sentence, again }: State) {
  if (items && sentence !== undefined) return <Failure sentence={sentence}>{again}</Failure>;
  if (sentence !== undefined) return <EmptyState icon={CloudOff} title={sentence} actions={again} />;
  if (!items) return <Skeleton rows={5} height={44} />;
  return items.length === 0 && <EmptyState icon={History} title="Rien ne s’est encore passé ici." />;
}

/** What was done lately; a failed look leaves what is there, and says so. */
export function ActivityList() {
  const [limit, setLimit] = useState(step);
  const { data, error, isFetching, refetch } = activityApi.useActivityQuery(limit, {
    refetchOnMountOrArgChange: true,
    pollingInterval: pollMs,
    skipPollingIfUnfocused: true,
  });
  const sentence = error && ((isApiError(error) && sentenceOf(error)) || 'Impossible de charger l’activité récente.');
  const again = (
    <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
      Réessayer
    </Button>
  );
  const canGrow = data !== undefined && data.items.length >= limit && limit < most;
  return (
    <section aria-labelledby="activity" className={styles['card']}>
      <h2 id="activity" className={styles['head']}>
        Activité récente
      </h2>
      <Notice items={data?.items} sentence={sentence} again={again} />
      <ul>
        {data?.items.map((item) => (
          <Line key={item.id} item={item} />
        ))}
      </ul>
      {canGrow && (
        <div className={styles['foot']}>
          <Button variant="default" loading={isFetching} onClick={() => setLimit(limit + step)}>
            Afficher plus
          </Button>
        </div>
      )}
    </section>
  );
}

import { Button, Text } from '@mantine/core';
import type { ActivityItem } from '@vigie/contracts/activity';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useId, useState } from 'react';
import { undoneLabel } from '../../kit/job/words';
import { failureMessage } from '../../kit/query/failures';
import { Failure } from '../../ui/Failure';
import { Lines as List } from '../../ui/Lines';
import { plural } from '../../ui/plural';
import { Skeleton } from '../../ui/Skeleton';
import { Status } from '../../ui/Status';
import { ActivityBadge, ActivityLine, ActivityTime } from './ActivityLine';
import styles from './activity.module.css';
import { activityApi, type ActivityQuery } from './activity.api';
import { describeBatch, proposalOf } from './words';

const max = 50;

type Run = NonNullable<ActivityItem['run']>;

type LinesProps = { run: Run; query: ActivityQuery; proposalId: string | null };

function Lines({ run, query, proposalId }: LinesProps) {
  const { data, error, isFetching, refetch } = activityApi.useActivityQuery(
    { ...query, grouped: undefined, batch_id: run.id, limit: max },
    { refetchOnMountOrArgChange: true },
  );
  const remaining = run.lines - (data?.items.length ?? 0);
  return (
    <>
      <Failure sentence={failureMessage(error, 'Le détail de ce lot n’a pas pu être lu.')}>
        <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
          Relire le lot
        </Button>
      </Failure>
      {!data && !error && <Skeleton rows={Math.min(run.lines, 5)} height={36} />}
      <List className={styles['batch']}>
        {data?.items.map((item) => (
          <li key={item.id}>
            <ActivityLine item={item} />
          </li>
        ))}
      </List>
      {data && remaining > 0 && (
        <Text p="4px var(--gutter) 12px calc(2 * var(--gutter))" c="muted" fz={13}>
          {`et ${plural(remaining, 'autre', 'autres')}\u00a0: la ${proposalId === null ? 'tâche' : 'proposition'} les montre tous.`}
        </Text>
      )}
    </>
  );
}

type Props = { item: ActivityItem; run: Run; query: ActivityQuery };

/** A batch on many sites is one line that unfolds. */
export function ActivityRun({ item, run, query }: Props) {
  const [isOpen, setOpen] = useState(false);
  const lines = useId();
  const Icon = isOpen ? ChevronDown : ChevronRight;
  const actor = item.actor_name ?? 'La console';
  const failed = run.failed - run.undone;
  const proposalId = proposalOf(item);
  return (
    <>
      <div className={styles['line']}>
        <div>
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={lines}
            className={styles['fold']}
            onClick={() => setOpen(!isOpen)}
          >
            <Icon size={16} aria-hidden />
            <span>
              <strong>{actor}</strong> {describeBatch(item)}
            </span>
          </button>
        </div>
        <div className={styles['facts']}>
          <ActivityBadge type={item.type} />
          {failed > 0 && <Status tone="danger">{`${failed}\u00a0sans succès`}</Status>}
          {run.undone > 0 && (
            <Status tone={undoneLabel.tone}>
              {plural(run.undone, 'annulée, site rétabli', 'annulées, sites rétablis')}
            </Status>
          )}
          <ActivityTime at={item.created_at} jobId={run.id} proposalId={proposalId} />
        </div>
      </div>
      <div id={lines}>{isOpen && <Lines run={run} query={query} proposalId={proposalId} />}</div>
    </>
  );
}

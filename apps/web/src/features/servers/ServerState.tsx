import type { ServerStatus } from '@vigie/contracts/servers';
import { Status } from '../../ui/Status';
import { useNow } from '../../ui/useNow';
import { TimeAgo } from '../../ui/TimeAgo';
import styles from './ServerState.module.css';
import { reasonOf, stateOf } from './words';

/** Twice the interval between two checks. */
const staleMs = 120_000;
const tickMs = 15_000;

/** Shows the last status and its age; grey once it is stale. */
export function ServerState({ status, isWhole = false }: { status: ServerStatus; isWhole?: boolean }) {
  const now = useNow(tickMs);
  const { tone, word } = stateOf(status);
  const { checked_at: checkedAt } = status;
  const isStale = checkedAt !== null && now.getTime() - new Date(checkedAt).getTime() > staleMs;
  const reason = reasonOf(status);
  return (
    <div className={styles['state']} data-whole={isWhole || undefined}>
      <div
        className={styles['line']}
        title={isStale ? 'Cet état est ancien\u00a0: le serveur n’a pas été vérifié depuis.' : undefined}
      >
        <Status tone={isStale ? 'neutral' : tone}>{word}</Status>
        <span className={styles['age']}>
          {checkedAt === null ? (
            'jamais vu'
          ) : (
            <>
              vu <TimeAgo at={checkedAt} often />
            </>
          )}
        </span>
      </div>
      {reason !== undefined && (
        <p className={styles['reason']} title={isWhole ? undefined : reason}>
          {reason}
        </p>
      )}
    </div>
  );
}

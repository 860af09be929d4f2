import type { TestDatabase } from './database';
import { until } from './until';

/** Waits until sites-svc has read auth-svc's whole outbox, so that no earlier event interferes with a test. */
export const untilOutboxRead = ({ query }: Pick<TestDatabase, 'query'>): Promise<void> =>
  until(async () => {
    const { rows } = await query<{ is_last: boolean | null }>(
      `select (select (xid, seq) from sites.outbox_cursors)
         = (select (xid, seq) from auth.outbox order by xid desc, seq desc limit 1) as is_last`,
    );
    return rows[0]?.is_last === true;
  });

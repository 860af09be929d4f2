import { currentUser } from '@vigie/service-kit/context';
import type { EntityManager } from 'typeorm';
import { hurryScansWhere, isEver } from '../sweeps/schedule';
import type { Reach } from './reach';

const newSeconds = 10;
/** Whoever waits waits no longer. */
const longSeconds = 30;

export const canRefresh = () => isEver('site-scan');

/** Has all of them read again; asked a moment ago of the same ones, that is under way. */
export async function refresh(manager: EntityManager, { key, holds, values }: Reach): Promise<void> {
  if (!canRefresh()) return;
  const { sub } = currentUser();
  const taken: unknown[] = await manager.query(
    `insert into plugin_refreshes as r (user_id, reach, asked_at) values ($1, $2, now())
     on conflict (user_id, reach) do update set asked_at = excluded.asked_at
       where r.asked_at < now() - interval '${newSeconds} seconds' returning user_id`,
    [sub, key],
  );
  await manager.query(
    `delete from plugin_refreshes where user_id = $1 and asked_at < now() - interval '${longSeconds} seconds'`,
    [sub],
  );
  if (taken.length > 0) await hurryScansWhere(manager, holds('s'), values);
}

/** Whether some were neither read nor found out of reach since the acting person asked for these. */
export async function isRefreshing(manager: EntityManager, { key, holds, values, value }: Reach): Promise<boolean> {
  const [row]: { is_going_on: boolean }[] = await manager.query(
    `select exists (
       select from plugin_refreshes r
       where r.user_id = ${value(1)} and r.reach = ${value(2)} and r.asked_at > now() - interval '${longSeconds} seconds' and exists (
         select from sites s where ${holds('s')} and s.ssh_error is null and (s.read_at is null or s.read_at < r.asked_at))
     ) as is_going_on`,
    [...values, currentUser().sub, key],
  );
  return row?.is_going_on ?? false;
}

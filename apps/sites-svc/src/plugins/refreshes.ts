import { currentUser } from '@vigie/service-kit/context';
import type { EntityManager } from 'typeorm';
import { hurryScansWhere, isEnabled } from '../sweeps/schedule';
import { readScope, type SiteScope } from './site-scope';

const minIntervalSeconds = 10;
/** A refresh counts as over after this time, even if sites were not read. */
const maxSeconds = 30;

export const canRefresh = () => isEnabled('site-scan');

/** Brings scans of all these sites forward, unless the caller did so a moment ago. */
export async function refresh(manager: EntityManager, { key, isSiteIn, values }: SiteScope): Promise<void> {
  if (!canRefresh()) return;
  const { sub } = currentUser();
  const inserted: unknown[] = await manager.query(
    `insert into plugin_refreshes as r (user_id, reach, asked_at) values ($1, $2, now())
     on conflict (user_id, reach) do update set asked_at = excluded.asked_at
       where r.asked_at < now() - interval '${minIntervalSeconds} seconds' returning user_id`,
    [sub, key],
  );
  await manager.query(
    `delete from plugin_refreshes where user_id = $1 and asked_at < now() - interval '${maxSeconds} seconds'`,
    [sub],
  );
  if (inserted.length > 0) await hurryScansWhere(manager, isSiteIn('s'), values);
}

/** True while some sites were neither read nor found unreachable since the caller's refresh. */
export async function isRefreshing(manager: EntityManager, scope: SiteScope): Promise<boolean> {
  const { key, isSiteIn, parameter } = scope;
  const [row] = await readScope<{ is_refreshing: boolean }>(
    manager,
    scope,
    `select exists (
       select from plugin_refreshes r
       where r.user_id = ${parameter(1)} and r.reach = ${parameter(2)} and r.asked_at > now() - interval '${maxSeconds} seconds' and exists (
         select from sites s where ${isSiteIn('s')} and s.ssh_error is null and (s.read_at is null or s.read_at < r.asked_at))
     ) as is_refreshing`,
    [currentUser().sub, key],
  );
  return row?.is_refreshing ?? false;
}

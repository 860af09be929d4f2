import type { EntityManager } from 'typeorm';
import { intervals, type SweepKind } from './schedule';
import { visitSeconds } from './visit-intervals';
import { noteExpected } from './watch-lag';

const maxPerTick = 500;

/** `connection` is the id of the server or site whose SSH connection the target uses. */
export type Due = { id: string; connection: string };

/** Counts the next run from the last planned one, so that targets stay spread. Missed runs are skipped. */
export async function takeDue(manager: EntityManager, kind: SweepKind): Promise<Due[]> {
  const seconds = kind === 'site-visit' ? visitSeconds('locked.target_id', '$1::float8') : '$1::float8';
  const [rows]: [{ id: string; planned_at: Date }[], number] = await manager.query(
    `with locked as materialized (
       select kind, target_id, next_at from sweeps where kind = $3 and next_at <= now()
       order by next_at limit $2 for update skip locked
     ), due as (select *, make_interval(secs => ${seconds}) as pause from locked)
     update sweeps set next_at = greatest(due.next_at, now() - due.pause) + due.pause from due
     where sweeps.kind = due.kind and sweeps.target_id = due.target_id
     returning sweeps.target_id as id, due.next_at as planned_at`,
    [intervals[kind], maxPerTick, kind],
  );
  const ids = rows.map(({ id }) => id);
  if (kind === 'site-visit' && rows.length > 0)
    await noteExpected(manager, new Date(Math.min(...rows.map(({ planned_at: at }) => at.getTime()))));
  if (ids.length === 0 || kind === 'server-health') return ids.map((id) => ({ id, connection: id }));
  if (kind === 'site-scan') return connectionsOf(manager, [...ids, ...(await takeNeighbours(manager, ids))]);
  return kind === 'site-inspect'
    ? connectionsOf(manager, await withoutUnchanged(manager, ids))
    : connectionsOf(manager, ids);
}

/** Those that could not be queued are due at once. */
export const dueAgain = (manager: EntityManager, kind: SweepKind, due: readonly Due[]): Promise<unknown> =>
  manager.query(
    `update sweeps w set next_at = now() from (
       select kind, target_id from sweeps where kind = $1 and target_id = any($2::uuid[]) order by target_id for no key update) lost
     where w.kind = lost.kind and w.target_id = lost.target_id`,
    [kind, due.map(({ id }) => id)],
  );

/** One process scans all the sites of a server, so those due soon join this scan and keep its schedule. */
async function takeNeighbours(manager: EntityManager, ids: readonly string[]): Promise<string[]> {
  const [rows]: [{ id: string }[], number] = await manager.query(
    `with mates as (
       select m.id, max(d.next_at) as next_at
       from sites s join sweeps d on d.kind = 'site-scan' and d.target_id = s.id join sites m on m.server_id = s.server_id
       where s.id = any($1::uuid[]) and m.id <> all($1::uuid[]) group by 1
     ), free as (
       select target_id from sweeps where kind = 'site-scan' and target_id in (select id from mates)
         and next_at <= now() + make_interval(secs => $2) for update skip locked)
     update sweeps set next_at = mates.next_at from mates, free
     where sweeps.kind = 'site-scan' and sweeps.target_id = mates.id and free.target_id = mates.id
     returning sweeps.target_id as id`,
    [ids, intervals['site-scan'] / 2],
  );
  return rows.map(({ id }) => id);
}

/** Starting WordPress costs its host, so an unchanged site is inspected once a day. */
async function withoutUnchanged(manager: EntityManager, ids: readonly string[]): Promise<string[]> {
  const rows: { id: string }[] = await manager.query(
    `select id from sites where id = any($1::uuid[]) and (mark is null or inspected_at is null
       or inspected_mark is distinct from mark or inspected_at < now() - interval '24 hours')`,
    [ids],
  );
  return rows.map(({ id }) => id);
}

const connectionsOf = (manager: EntityManager, ids: readonly string[]): Promise<Due[]> =>
  manager.query(
    `select s.id, case when s.credential is null
         and (coalesce(s.host, v.host), coalesce(s.port, v.port), coalesce(s.login, v.login)) = (v.host, v.port, v.login)
       then v.id else s.id end as connection
     from sites s left join servers v on v.id = s.server_id where s.id = any($1::uuid[])`,
    [ids],
  );

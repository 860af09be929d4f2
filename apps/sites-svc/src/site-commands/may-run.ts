import { AppError } from '@vigie/contracts/errors';
import { isNarrowed } from '@vigie/service-kit/context';
import type { EntityManager } from 'typeorm';
import { isOwned } from '../owners/owner-filter';
import { reachingCaller } from '../owners/reach';
import type { Job } from '../queue/job.entity';

/** Says nothing of what else the login reaches. */
export const reachesMore =
  'Votre partage ne permet pas de commande sur ce site\u00a0: sa connexion atteint plus que ce qui est partagé avec vous.';

/**
 * SQL condition: the connection of a site has a pinned key. Until it has one, a machine that others use under another name
 * is not known to be theirs.
 */
const isPinned = (site: string) => `exists (
  select from sites p left join servers v on v.id = p.server_id where p.id = ${site} and case
    when (p.credential is null or p.credential_for is null)
      and (coalesce(p.host, v.host), coalesce(p.port, v.port), coalesce(p.login, v.login)) = (v.host, v.port, v.login)
    then v.host_key else p.host_key end is not null)`;

/**
 * SQL condition: a user may run commands on a site. They own or manage it, and its login shows them nothing of anybody
 * else, as for a console. No user means everybody, in the admin mode.
 */
const mayRun = (site: string, user: string) =>
  `(can_open_console(${site}, ${user}) and (${user} is null
    or ${site} in (select granted_sites(${user}, 'manager')) and ${isPinned(site)}
    or exists (select from sites own where own.id = ${site} and own.owner_id = ${user})))`;

/**
 * SQL condition: the caller may read and repeat a command, as its owner and those may who may run it there. What an earlier
 * owner of the site has run stays theirs.
 */
export const mayRead = (job: string, caller: string) =>
  isNarrowed()
    ? 'false'
    : `(${isOwned(job, caller)} or exists (select from sites s
        where s.id = ${job}.site_id and s.owner_id = ${job}.owner_id and ${mayRun('s.id', `${caller}::uuid`)}))`;

/** A token that is narrowed to groups runs no command: its user may own more on the same machine. */
export function refuseNarrowed(): void {
  if (isNarrowed()) throw new AppError('forbidden', 'Un jeton limité à des groupes ne lance pas de commande.');
}

/** Those of these sites on which the caller may run commands. */
export async function findAllowedSites(manager: EntityManager, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows: { id: string }[] = await manager.query(
    `select s.id from sites s where s.id = any($1::uuid[]) and ${mayRun('s.id', '$2::uuid')}`,
    [ids, reachingCaller()],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Those of these commands whose author may not run them any more: a grant, a role or a connection has changed since. */
export async function findForbiddenCommands(
  manager: EntityManager,
  jobs: readonly Pick<Job, 'id' | 'kind'>[],
): Promise<ReadonlySet<string>> {
  const ids = jobs.flatMap(({ id, kind }) => (kind === 'commands.run' ? [id] : []));
  if (ids.length === 0) return new Set();
  const rows: { id: string }[] = await manager.query(
    `select j.id from jobs j cross join lateral (
       select case when (j.input ->> 'as_admin')::boolean and exists (
         select from owners a where a.user_id = j.actor_id and a.is_admin) then null else j.actor_id end as caller) author
     where j.id = any($1::uuid[]) and (exists (select from owners o where o.user_id = j.actor_id and o.heir_id is not null)
       or not coalesce(${mayRun('j.site_id', 'author.caller')}, false))`,
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Nobody can tell how far the command was when it was stopped. */
export const commandStopped = () =>
  new AppError(
    'forbidden',
    'La personne qui a demandé cette commande n’en a plus le droit sur ce site\u00a0: elle a été arrêtée si elle tournait, et ne commencera plus.',
  );

export const commandForbidden = () =>
  new AppError(
    'forbidden',
    'La personne qui a demandé cette commande n’en a plus le droit sur ce site\u00a0: rien n’a été lancé.',
  );

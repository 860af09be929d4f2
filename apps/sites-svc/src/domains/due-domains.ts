import type { DomainAnswer } from '@vigie/contracts/domains';
import { tryLockName } from '@vigie/service-kit/locks';
import type { DataSource, EntityManager } from 'typeorm';
import { countDomains } from './domain-conditions';

/** Longer than a question may take: after that the process that asked has died. */
const askingSeconds = 60;
const [hourSeconds, daySeconds] = [3_600, 86_400];
/** Where no registry could be asked, it is tried again after a while. */
const unaskedSeconds = 6 * hourSeconds;

export type DueDomain = { id: string; name: string };

/** Claims the domain that waits longest, unless another one is being asked about: one question at a time. */
export const claimDomain = (database: DataSource): Promise<DueDomain | undefined> =>
  database.transaction(async (manager) => {
    if (!(await tryLockName(manager, 'domains'))) return undefined;
    const [due]: DueDomain[] = await manager.query(
      `select d.id, d.name from domains d
       where d.next_at <= now()
         and not exists (select from domains a where a.claimed_at > now() - interval '${askingSeconds} seconds')
       order by d.next_at limit 1 for update of d`,
    );
    // Nobody links a site to the domain meanwhile.
    if (!due || (await forgetUnused(manager, due))) return undefined;
    // Even if this process dies before it notes the answer, a registry that has answered is asked once a day at most.
    await manager.query(
      `update domains set claimed_at = now(), next_at = now() + make_interval(
         secs => case when checked_at is null then ${hourSeconds} else ${daySeconds} end + random() * ${hourSeconds})
       where id = $1`,
      [due.id],
    );
    return due;
  });

/** A domain without sites is of no interest any more. Returns whether it was one. */
async function forgetUnused(manager: EntityManager, { id }: DueDomain): Promise<boolean> {
  const [forgotten]: [unknown[], number] = await manager.query(
    'delete from domains d where d.id = $1 and not exists (select from site_domains l where l.domain_id = d.id) returning id',
    [id],
  );
  return forgotten.length > 0;
}

/** Of the whole installation, the next question follows a second after this one. */
const released = `now() - interval '${askingSeconds - 1} seconds'`;

/** No agent answered: it is asked for again later, after the others. */
export const releaseDomain = (database: DataSource, { id }: DueDomain): Promise<unknown> =>
  database.query(`update domains set claimed_at = ${released}, next_at = now() + interval '10 minutes' where id = $1`, [
    id,
  ]);

/** Stores what a registry said. Returns whether incidents may change. */
export const saveDomain = (database: DataSource, { id }: DueDomain, answer: DomainAnswer): Promise<boolean> =>
  database.transaction(async (manager) => {
    if (answer.was_asked || answer.retry_after === null) await saveAnswer(manager, id, answer);
    if (!answer.was_asked) await postpone(manager, id, answer.retry_after ?? unaskedSeconds);
    if (answer.was_asked && answer.retry_after !== null && answer.server !== null) {
      await manager.query(
        'update domains set next_at = greatest(next_at, now() + make_interval(secs => $2)) where server = $1',
        [answer.server, answer.retry_after],
      );
    }
    return countDomains(manager, [id]);
  });

/** A registry that fails, or no longer knows the domain, takes nothing from what it said before. */
async function saveAnswer(manager: EntityManager, id: string, answer: DomainAnswer): Promise<void> {
  const { state, phase, error, server, expires_at: expiresAt, registrar } = answer;
  await manager.query(
    `update domains set state = $2, error = $3, server = coalesce($4, server), checked_at = now(), claimed_at = ${released},
       expires_at = coalesce($5::timestamptz, expires_at), registrar = coalesce($6, registrar),
       next_at = case when $8 then now() + make_interval(secs => ${daySeconds} + random() * ${hourSeconds}) else next_at end,
       phase = case when $2 = 'known' then $7 else phase end
     where id = $1`,
    [id, state, error, server, expiresAt, registrar, phase, answer.was_asked],
  );
}

const postpone = (manager: EntityManager, id: string, seconds: number): Promise<unknown> =>
  manager.query(
    `update domains set claimed_at = ${released}, next_at = now() + make_interval(secs => $2 + random() * $2 / 10) where id = $1`,
    [id, seconds],
  );

import type { Evidence } from '@vigie/contracts/incidents';
import type { DataSource, EntityManager } from 'typeorm';
import { type Checks, countFailures, countSuccesses } from '../incidents/conditions';
import { domainEvidence, endsSoon } from '../incidents/domain-causes';

const daySeconds = 86_400;

const checks: Checks = { kind: 'domain', subjectKind: 'site', seconds: daySeconds };

type Row = { id: string; ends_soon: boolean; is_renewed: boolean; evidence: Evidence };

/**
 * Counts the domains that end soon, or have ended, with all of their sites. The links stay as they are meanwhile. Returns
 * whether incidents may change.
 */
export async function countDomains(manager: EntityManager, ids: readonly string[]): Promise<boolean> {
  // An end that was known before a failure may be over by now, but nothing says that it was renewed.
  const rows: Row[] = await manager.query(
    `select l.site_id as id, ${endsSoon('d')} as ends_soon, ${domainEvidence('d')} as evidence,
       d.state = 'known' and d.phase = 'usual' and not ${endsSoon('d')} as is_renewed
     from domains d join site_domains l on l.domain_id = d.id
     where d.id = any($1::uuid[]) and d.expires_at is not null order by l.site_id for share of l`,
    [ids],
  );
  const renewed = rows.filter((row) => row.is_renewed).map(({ id }) => id);
  const failures = rows.filter((row) => row.ends_soon);
  const mustOpen = await countFailures(manager, checks, failures);
  return (await countSuccesses(manager, checks, renewed)) || mustOpen;
}

/** Counts again what is known to end soon: days pass whether anybody can be asked or not. */
export const countKnownEnds = (database: DataSource): Promise<unknown> =>
  database.transaction(async (manager) => {
    const due: { id: string }[] = await manager.query(`select d.id from domains d where ${endsSoon('d')}`);
    return countDomains(
      manager,
      due.map(({ id }) => id),
    );
  });

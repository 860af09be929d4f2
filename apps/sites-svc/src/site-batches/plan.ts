import { AppError } from '@vigie/contracts/errors';
import type { SiteBatchLine, SiteBatchVerb } from '@vigie/contracts/site-batches';
import type { EntityManager } from 'typeorm';
import { refuseCreation } from '../backups/asked-backups';
import { findOpenCreations } from '../backups/open-backups';
import { findGroup } from '../groups/group.entity';
import { groupsOf } from '../groups/memberships';
import { isOpen } from '../jobs/job.entity';
import type { Ground } from '../sites/grounds';
import { isRefused, siteAccess } from '../sites/site-access';
import { refuseMove } from './group-sites';

type Judged = Partial<Pick<SiteBatchLine, 'warning' | 'refusal'>>;
type Judge = (ground: Ground) => Judged;

const byName = new Intl.Collator('fr', { numeric: true, sensitivity: 'base' });

/** From what is known: nobody is asked. */
export async function planOf(
  manager: EntityManager,
  verb: SiteBatchVerb,
  grounds: readonly Ground[],
  groupId: string | undefined,
): Promise<SiteBatchLine[]> {
  const judge = await judgeOf(manager, verb, grounds, groupId);
  return grounds
    .map((ground) => {
      const { id, name, url } = ground.site;
      return { site_id: id, site_name: name, url, warning: null, refusal: null, ...judge(ground) };
    })
    .toSorted((a, b) => byName.compare(a.site_name, b.site_name) || a.site_id.localeCompare(b.site_id));
}

async function judgeOf(
  manager: EntityManager,
  verb: SiteBatchVerb,
  grounds: readonly Ground[],
  groupId = '',
): Promise<Judge> {
  const ids = grounds.map(({ site }) => site.id);
  if (verb === 'test') {
    return (ground) => ({ refusal: wayRefusal(ground), warning: isRefused(ground) ? offeredAgain : null });
  }
  if (verb === 'backup') {
    const opens = await findOpenCreations(manager, ids);
    return (ground) => ({ refusal: refuseCreation(ground, opens)?.message ?? null, warning: backupWarning(ground) });
  }
  if (verb === 'delete') {
    const busy = await findBusy(manager, ids);
    return ({ site }) => ({ warning: busy.has(site.id) ? atWork : null });
  }
  const group = await findGroup(manager, groupId);
  const groups = await groupsOf(manager, 'sites', ids);
  return ({ site }) => ({ refusal: refuseMove(verb, site, group, groups) ?? null });
}

const offeredAgain = 'Ses identifiants SSH ont été refusés\u00a0: ce test les présente de nouveau.';
const atWork = 'Une tâche est en cours sur ce site\u00a0: elle ira à son terme.';

function wayRefusal(ground: Ground): string | null {
  const access = siteAccess(ground, false);
  return access instanceof AppError ? access.message : null;
}

function backupWarning(ground: Ground): string | null {
  const { problem, sshError } = ground.site;
  if (isRefused(ground)) return 'Ses identifiants SSH ont été refusés\u00a0: testez d’abord sa connexion.';
  if (sshError !== null) return `La dernière connexion a échoué\u00a0: ${sshError}`;
  return problem && `Ce site est en panne\u00a0: ${problem.message}`;
}

async function findBusy(manager: EntityManager, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows: { site_id: string }[] = await manager.query(
    `select distinct site_id from jobs where site_id = any($1::uuid[]) and ${isOpen('jobs')}`,
    [ids],
  );
  return new Set(rows.map(({ site_id: id }) => id));
}

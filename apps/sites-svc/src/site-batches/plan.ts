import { AppError } from '@vigie/contracts/errors';
import type { SiteBatchLine, SiteBatchVerb } from '@vigie/contracts/site-batches';
import type { EntityManager } from 'typeorm';
import { findSitesBackingUp, refuseCreation } from '../backups/open-backups';
import { findGroup } from '../groups/group.entity';
import { groupsOf } from '../groups/memberships';
import { isOpen } from '../queue/job.entity';
import type { SiteContext } from '../sites/site-contexts';
import { isCredentialRefused, siteAccess } from '../sites/site-access';
import { connectionWarning } from '../sites/failures';
import { moveRefusal } from './group-sites';

type SiteVerdict = Partial<Pick<SiteBatchLine, 'warning' | 'refusal'>>;
type Judge = (context: SiteContext) => SiteVerdict;

const byName = new Intl.Collator('fr', { numeric: true, sensitivity: 'base' });

/** Reads stored state only: no host is contacted. */
export async function planOfBatch(
  manager: EntityManager,
  verb: SiteBatchVerb,
  contexts: readonly SiteContext[],
  groupId: string | undefined,
): Promise<SiteBatchLine[]> {
  const judge = await findJudge(manager, verb, contexts, groupId);
  return contexts
    .map((context) => {
      const { id, name, url } = context.site;
      return { site_id: id, site_name: name, url, warning: null, refusal: null, ...judge(context) };
    })
    .toSorted((a, b) => byName.compare(a.site_name, b.site_name) || a.site_id.localeCompare(b.site_id));
}

async function findJudge(
  manager: EntityManager,
  verb: SiteBatchVerb,
  contexts: readonly SiteContext[],
  groupId = '',
): Promise<Judge> {
  const siteIds = contexts.map(({ site }) => site.id);
  if (verb === 'test') {
    return (context) => ({
      refusal: accessRefusal(context),
      warning: isCredentialRefused(context) ? retriesRefused : null,
    });
  }
  if (verb === 'backup') {
    const sitesBackingUp = await findSitesBackingUp(manager, siteIds);
    return (context) => ({
      refusal: refuseCreation(context, sitesBackingUp)?.message ?? null,
      warning: backupWarning(context),
    });
  }
  if (verb === 'delete') {
    const busySites = await findBusySites(manager, siteIds);
    return ({ site }) => ({ warning: busySites.has(site.id) ? hasOpenJob : null });
  }
  const group = await findGroup(manager, groupId);
  const groups = await groupsOf(manager, 'sites', siteIds);
  return ({ site }) => ({ refusal: moveRefusal(verb, site, group, groups) ?? null });
}

const retriesRefused = 'Ses identifiants SSH ont été refusés\u00a0: ce test les présente de nouveau.';
const hasOpenJob = 'Une tâche est en cours sur ce site\u00a0: elle ira à son terme.';

function accessRefusal(context: SiteContext): string | null {
  const access = siteAccess(context, false);
  return access instanceof AppError ? access.message : null;
}

function backupWarning(context: SiteContext): string | null {
  const { problem, sshError } = context.site;
  if (isCredentialRefused(context)) return 'Ses identifiants SSH ont été refusés\u00a0: testez d’abord sa connexion.';
  if (sshError !== null) return connectionWarning(context.site);
  return problem && `Ce site est en panne\u00a0: ${problem.message}`;
}

async function findBusySites(manager: EntityManager, siteIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows: { site_id: string }[] = await manager.query(
    `select distinct site_id from jobs where site_id = any($1::uuid[]) and ${isOpen('jobs')}`,
    [siteIds],
  );
  return new Set(rows.map(({ site_id: siteId }) => siteId));
}

import type { Input } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import type { groupSites } from '@vigie/contracts/site-batches';
import { maxGroups } from '@vigie/contracts/groups';
import type { EntityManager } from 'typeorm';
import { recordAuditEvents } from '../activity/audit-events';
import { keepGroup, type Group } from '../groups/group.entity';
import { joinGroup, leaveGroup } from '../groups/memberships';
import { refuseLoss } from '../sites/find-site';
import { lockSiteContexts } from '../sites/site-contexts';
import type { Site } from '../sites/site.entity';

type Verb = Input<typeof groupSites>['verb'];

/** Maps sites to their own groups, without those of their servers. */
type Memberships = ReadonlyMap<string, readonly string[]>;

export function moveRefusal(verb: Verb, site: Site, group: Group, groups: Memberships): string | undefined {
  const own = groups.get(site.id) ?? [];
  const isIn = own.includes(group.id);
  if (verb === 'leave') return isIn ? undefined : `Ce site n’est pas dans le groupe ${group.name}.`;
  if (isIn) return `Ce site est déjà dans le groupe ${group.name}.`;
  if (site.ownerId !== group.ownerId) return differentOwners;
  return own.length >= maxGroups ? `Ce site est déjà dans ${maxGroups}\u00a0groupes, le maximum.` : undefined;
}

const differentOwners = 'Ce site et ce groupe n’appartiennent pas à la même personne.';

/** Moves all sites or none. Sites that are already there get no line in the feed. */
export async function moveSites(
  manager: EntityManager,
  { ids, group_id: groupId, verb }: Input<typeof groupSites>,
): Promise<void> {
  const group = await keepGroup(manager, groupId);
  const sites = [...(await lockSiteContexts(manager, ids)).values()].map(({ site }) => site);
  const foreignSite = verb === 'join' ? sites.find(({ ownerId }) => ownerId !== group.ownerId) : undefined;
  if (foreignSite) throw new AppError('invalid', `${foreignSite.name}\u00a0: ${differentOwners}`);
  const siteIds = sites.map(({ id }) => id);
  const moved = new Set(await (verb === 'join' ? joinGroup : leaveGroup)(manager, siteIds, groupId));
  if (verb === 'leave') await refuseLoss(manager, siteIds);
  await recordAuditEvents(
    manager,
    sites
      .filter(({ id }) => moved.has(id))
      .map((site) => ({
        type: 'site_edit',
        site,
        details: verb === 'join' ? { joined: group.name } : { left: group.name },
      })),
  );
}

import { type EntityManager, In } from 'typeorm';
import { Server } from '../servers/server.entity';
import { siteTarget, toSiteToRead, connectionsOf } from '../sites/site-access';
import { Site } from '../sites/site.entity';
import { contentFolderOf } from '../sites/site-state';
import { Job } from '../queue/job.entity';
import { laneOf, serverTarget, type JobTarget } from '../queue/jobs';

export type CurrentTarget = { id: string; lane: string; name: string | null; input: object };

/** Finds the current targets of earlier jobs. A deleted target keeps its lane: its job is refused when it is claimed. */
export async function findCurrentTargets(manager: EntityManager, ids: readonly string[]): Promise<CurrentTarget[]> {
  const jobs = await manager.find(Job, {
    where: { id: In([...ids]) },
    select: { id: true, siteId: true, serverId: true, queue: true, lane: true },
  });
  const targets = new Map<string | null, TargetAndInput>([
    ...(await findCurrentSites(
      manager,
      jobs.flatMap(({ siteId }) => siteId ?? []),
    )),
    ...(await findCurrentServers(
      manager,
      jobs.flatMap(({ serverId }) => serverId ?? []),
    )),
  ]);
  return jobs.map(({ id, siteId, serverId, queue, lane }) => {
    const current = targets.get(siteId ?? serverId);
    if (!current) return { id, lane, name: null, input: {} };
    return {
      id,
      lane: laneOf(current.target, queue === 'site-looks'),
      name: current.target.name,
      input: current.input,
    };
  });
}

type TargetAndInput = { target: JobTarget; input: object };

async function findCurrentSites(manager: EntityManager, ids: string[]): Promise<(readonly [string, TargetAndInput])[]> {
  const connections = await connectionsOf(manager, await manager.findBy(Site, { id: In(ids) }));
  const contentFolders = await findContentFolders(manager, ids);
  return connections.map((connection) => {
    const { id } = connection.site;
    return [
      id,
      {
        target: siteTarget(connection),
        input: { site: toSiteToRead(connection.site), content: contentFolders.get(id) ?? null },
      },
    ];
  });
}

/** Maps sites to their wp-content folder, null when it is unknown. */
export async function findContentFolders(
  manager: EntityManager,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  const rows: { id: string; state: Parameters<typeof contentFolderOf>[0] }[] = await manager.query(
    `select id, jsonb_build_object('depth', facts -> 'depth', 'needs_boot', facts -> 'needs_boot',
       'content_dir', facts -> 'content_dir') as state
     from sites where id = any($1::uuid[])`,
    [ids],
  );
  return new Map(rows.map(({ id, state }) => [id, contentFolderOf(state)]));
}

async function findCurrentServers(
  manager: EntityManager,
  ids: string[],
): Promise<(readonly [string, TargetAndInput])[]> {
  const servers = await manager.findBy(Server, { id: In(ids) });
  return servers.map((server) => [server.id, { target: serverTarget(server), input: {} }]);
}

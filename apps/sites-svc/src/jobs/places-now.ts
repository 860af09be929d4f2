import { type EntityManager, In } from 'typeorm';
import { Server } from '../servers/server.entity';
import { siteTarget, toSiteToRead, waysOf } from '../sites/site-access';
import { Site } from '../sites/site.entity';
import { contentOf } from '../sites/sure-facts';
import { Job } from './job.entity';
import { laneOf, serverTarget, type Target } from './jobs';

/** Where a job is done: its lane, what that is called, and what its input says of it. */
export type Place = { id: string; lane: string; name: string | null; input: object };

/** As it is now, of jobs that were asked for before. What is gone keeps its lane: it is refused when its turn comes. */
export async function placesNow(manager: EntityManager, ids: readonly string[]): Promise<Place[]> {
  const jobs = await manager.find(Job, {
    where: { id: In([...ids]) },
    select: { id: true, siteId: true, serverId: true, queue: true, lane: true },
  });
  const known = new Map<string | null, Known>([
    ...(await sitesNow(
      manager,
      jobs.flatMap(({ siteId }) => siteId ?? []),
    )),
    ...(await serversNow(
      manager,
      jobs.flatMap(({ serverId }) => serverId ?? []),
    )),
  ]);
  return jobs.map(({ id, siteId, serverId, queue, lane }) => {
    const now = known.get(siteId ?? serverId);
    if (!now) return { id, lane, name: null, input: {} };
    return { id, lane: laneOf(now.on, queue === 'site-looks'), name: now.on.name, input: now.input };
  });
}

type Known = { on: Target; input: object };

async function sitesNow(manager: EntityManager, ids: string[]): Promise<(readonly [string, Known])[]> {
  const ways = await waysOf(manager, await manager.findBy(Site, { id: In(ids) }));
  const contents = await contentsNow(manager, ids);
  return ways.map((way) => {
    const { id } = way.site;
    return [id, { on: siteTarget(way), input: { site: toSiteToRead(way.site), content: contents.get(id) ?? null } }];
  });
}

/** By site, the folder of its content where that is known. */
export async function contentsNow(
  manager: EntityManager,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  const rows: { id: string; facts: Parameters<typeof contentOf>[0] }[] = await manager.query(
    `select id, jsonb_build_object('depth', facts -> 'depth', 'needs_boot', facts -> 'needs_boot',
       'content_dir', facts -> 'content_dir') as facts
     from sites where id = any($1::uuid[])`,
    [ids],
  );
  return new Map(rows.map(({ id, facts }) => [id, contentOf(facts)]));
}

async function serversNow(manager: EntityManager, ids: string[]): Promise<(readonly [string, Known])[]> {
  const servers = await manager.findBy(Server, { id: In(ids) });
  return servers.map((server) => [server.id, { on: serverTarget(server), input: {} }]);
}

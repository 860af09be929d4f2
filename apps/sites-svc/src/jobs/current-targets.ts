import { type EntityManager, In } from 'typeorm';
import { Server } from '../servers/server.entity';
import { siteTarget, toSiteToRead, connectionsOf } from '../sites/site-access';
import { Site } from '../sites/site.entity';
import { contentFolderOf } from '../sites/site-state';
import { laneOf, serverTarget, type JobTarget, type RetriedJob } from '../queue/jobs';

/** Gives retried jobs the current targets of their site or server. A deleted target keeps its lane: its job is refused when it is claimed. */
export async function withCurrentTargets(manager: EntityManager, jobs: readonly RetriedJob[]): Promise<RetriedJob[]> {
  const targets = new Map<string | null, TargetAndInput>([
    ...(await findCurrentSites(
      manager,
      jobs.flatMap(({ site_id: siteId }) => siteId ?? []),
    )),
    ...(await findCurrentServers(
      manager,
      jobs.flatMap(({ server_id: serverId }) => serverId ?? []),
    )),
  ]);
  return jobs.map((job) => {
    const current = targets.get(job.site_id ?? job.server_id);
    return current ? withTarget(job, current) : job;
  });
}

/** Replaces only those keys of the input that it had before. */
function withTarget(job: RetriedJob, { target, input }: TargetAndInput): RetriedJob {
  const changes = Object.entries(input).filter(([key]) => key in job.input);
  return {
    ...job,
    [`${target.type}_name`]: target.name,
    lane: laneOf(target, job.queue === 'site-looks'),
    input: { ...job.input, ...Object.fromEntries(changes) },
  };
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

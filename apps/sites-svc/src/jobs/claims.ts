import type { SshAccess } from '@vigie/contracts/credentials';
import { AppError } from '@vigie/contracts/errors';
import { type ClaimedJob, isFinal, JobClaim } from '@vigie/contracts/jobs';
import { isOneOf, queryPrepared } from '@vigie/service-kit/database';
import { fitInMessage } from '@vigie/service-kit/messages';
import { type EntityManager, Any } from 'typeorm';
import { administratorsAmong } from '../owners/owners';
import type { Job } from '../queue/job.entity';
import { laneOf } from '../queue/jobs';
import { settleBatches } from '../queue/settle-batch';
import { Server, toAccess } from '../servers/server.entity';
import { commandForbidden, findForbiddenCommands } from '../site-commands/may-run';
import { stopForbidden } from '../site-commands/stop-forbidden';
import { connectionsOf, siteAccess, toSiteToRead } from '../sites/site-access';
import { Site } from '../sites/site.entity';
import { findCompanions, isCompanion, isJoint } from './companions';
import { findContentFolders } from './current-targets';
import { lockJobs } from './end-job';

export const leaseSeconds = 30;

type WakeUp = { id: string; attempt: number };

export type LockedJob = {
  job: Job;
  companions: readonly Job[];
  /** Only a worker that takes companions can go on with it. */
  isBeyondWorker: boolean;
};

/** Locks those of the jobs whose attempt can be claimed, with their companions for a worker that takes them. */
export async function lockClaimable(
  manager: EntityManager,
  wakeUps: readonly WakeUp[],
  takesCompanions: boolean,
): Promise<LockedJob[]> {
  const attempts = new Map(wakeUps.map(({ id, attempt }) => [id, attempt]));
  const leads = await findCompanions(manager, [...attempts.keys()]);
  const jobs = await lockJobs(manager, [...attempts.keys(), ...leads.keys()]);
  const claimable = jobs.filter((job) => isClaimable(job, attempts.get(job.id)));
  return claimable.map((job) => {
    const companions = jobs.filter((other) => leads.get(other.id) === job.id && isCompanion(other, job));
    if (takesCompanions) return { job, companions, isBeyondWorker: false };
    return { job, companions: [], isBeyondWorker: isJoint(job, companions) };
  });
}

/** Each attempt can be claimed once, even if Redis delivers it twice. */
const isClaimable = ({ state, dispatchedAt, attempts, claimedAttempt }: Job, attempt: number | undefined): boolean =>
  !isFinal(state) && dispatchedAt !== null && attempts === attempt && claimedAttempt < attempt;

type ReachableJob = { job: Job; access: SshAccess; input: object };
type ClaimableJob = ReachableJob & { companions: readonly ReachableJob[] };

/** Gives locked jobs to an agent, with their companions. */
export async function giveJobs(
  manager: EntityManager,
  jobs: readonly ClaimableJob[],
  agent: string,
): Promise<JobClaim[]> {
  const given = jobs.flatMap(({ companions, ...lead }) => [
    { ...lead, leadId: null },
    ...companions.map((companion) => ({ ...companion, leadId: lead.job.id })),
  ]);
  const rows = given.map(({ job: { id }, access, input, leadId }) => ({ id, access, input, lead_id: leadId }));
  const ids = given.map(({ job: { id } }) => id);
  await queryPrepared(
    manager,
    `update jobs set fence = fence + 1, claims = claims + 1, tries = coalesce(tries, claimed_attempt) + 1,
       claimed_attempt = attempts, agent = $2, access = given.access, input = given.input, state = 'running',
       is_resting = false, started_at = coalesce(started_at, now()), lease_until = now() + make_interval(secs => $3),
       passed_by_at = null, passings = 0, lead_id = given.lead_id, dispatched_at = coalesce(dispatched_at, now())
     from jsonb_to_recordset($1::jsonb) as given(id uuid, access jsonb, input jsonb, lead_id uuid)
     where jobs.id = given.id and jobs.id ${isOneOf(ids, '$4')}`,
    [JSON.stringify(rows), agent, leaseSeconds, ids],
  );
  await settleBatches(
    manager,
    given.map(({ job }) => job),
  );
  return jobs.map(toJobClaim);
}

/** Those that one answer can carry. The worker would never hear of another one that is claimed, nor of its neighbours. */
export function selectDeliverable(jobs: readonly ClaimableJob[]): ClaimableJob[] {
  const valid = jobs.filter((job) => JobClaim.safeParse(toJobClaim(job)).success);
  return valid.slice(0, fitInMessage(valid.map(toJobClaim)).length);
}

const toJobClaim = ({ companions, ...lead }: ClaimableJob): JobClaim => ({
  ...toClaimedJob(lead),
  companions: companions.map(toClaimedJob),
});

const toClaimedJob = ({ job, access, input }: ReachableJob): ClaimedJob => ({
  id: job.id,
  fence: job.fence + 1,
  kind: job.kind,
  input,
  access,
  was_started: job.startedAt !== null,
  is_cancelling: job.cancelRequestedAt !== null,
  heard: job.journalOffset,
  memo: job.checkpoint && { ...job.checkpoint },
  traceparent: job.traceparent,
});

/** Finds the access to each job's host, or why there is none. A companion without access is left out. */
export async function findAccess(
  manager: EntityManager,
  locked: readonly LockedJob[],
): Promise<(ClaimableJob | AppError)[]> {
  const leads = locked.map(({ job }) => job);
  const others = locked.flatMap(({ companions }) => companions);
  const foundOthers = await findAccessOfJobs(manager, others);
  const reachable = foundOthers.flatMap((each) => (each instanceof AppError ? [] : each));
  const leadOf = new Map(locked.flatMap(({ job, companions }) => companions.map(({ id }) => [id, job.id])));
  return (await findAccessOfJobs(manager, leads)).map((found) =>
    found instanceof AppError
      ? found
      : { ...found, companions: reachable.filter(({ job }) => leadOf.get(job.id) === found.job.id) },
  );
}

type FoundAccess = ReachableJob | AppError;

/** Asks in a number of statements that does not grow with the list. */
async function findAccessOfJobs(manager: EntityManager, jobs: readonly Job[]): Promise<FoundAccess[]> {
  const given = jobs.filter(({ access }) => access);
  const stopped = await stopForbidden(manager, given);
  for (const job of given) if (stopped.has(job.id)) job.cancelRequestedAt ??= new Date();
  const begun = jobs.flatMap((job) => (job.access ? { job, access: job.access, input: job.input } : []));
  const others = jobs.filter(({ access }) => !access);
  const ofServers = others.filter(({ siteId }) => siteId === null);
  const ofSites = others.filter(({ siteId }) => siteId !== null);
  const current = [...(await connectToServers(manager, ofServers)), ...(await connectToSites(manager, ofSites))];
  return [...begun, ...current.map(refuseMoved)];
}

/** Refuses a job whose target has moved to another address since the request. */
function refuseMoved(found: FoundAccess): FoundAccess {
  if (found instanceof AppError) return found;
  if ([true, false].some((isCheck) => found.job.lane === laneOf(found.access, isCheck))) return found;
  return new AppError('conflict', 'L’adresse du serveur a changé depuis la demande\u00a0: rien n’a été lancé.');
}

async function connectToServers(manager: EntityManager, jobs: readonly Job[]): Promise<FoundAccess[]> {
  if (jobs.length === 0) return [];
  const servers = await manager.findBy(Server, { id: Any(jobs.flatMap(({ serverId }) => serverId ?? [])) });
  const administrators = await administratorsOf(manager, servers);
  const serversById = new Map(servers.map((server) => [server.id, server]));
  return jobs.map((job) => {
    const server = serversById.get(job.serverId ?? '');
    if (!server) return new AppError('not_found', 'Ce serveur n’existe plus.');
    return { job, access: toAccess(server, administrators.has(server.ownerId)), input: job.input };
  });
}

/** Replaces the sites in the inputs, which are as old as the requests. */
async function connectToSites(manager: EntityManager, jobs: readonly Job[]): Promise<FoundAccess[]> {
  if (jobs.length === 0) return [];
  const sites = await manager.findBy(Site, { id: Any(jobs.flatMap(({ siteId }) => siteId ?? [])) });
  const connections = await connectionsOf(manager, sites);
  const connectionsById = new Map(connections.map((connection) => [connection.site.id, connection]));
  const administrators = await administratorsOf(manager, sites);
  // The old wp-content folder may belong to another site by now.
  const withContent = jobs.flatMap(({ siteId, input }) => ('content' in input ? (siteId ?? []) : []));
  const contents = withContent.length > 0 ? await findContentFolders(manager, withContent) : undefined;
  const forbidden = await findForbiddenCommands(manager, jobs);
  return jobs.map((job) => {
    const connection = connectionsById.get(job.siteId ?? '');
    if (!connection) return new AppError('not_found', 'Ce site n’existe plus.');
    if (forbidden.has(job.id)) return commandForbidden();
    const { site } = connection;
    const access = siteAccess(connection, administrators.has(site.ownerId));
    if (access instanceof AppError) return access;
    const content = 'content' in job.input && { content: contents?.get(site.id) ?? null };
    return { job, access, input: { ...job.input, ...content, site: toSiteToRead(site) } };
  });
}

const administratorsOf = (manager: EntityManager, owned: readonly { ownerId: string }[]) =>
  administratorsAmong(
    manager,
    owned.map(({ ownerId }) => ownerId),
  );

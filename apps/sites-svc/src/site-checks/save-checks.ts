import type { Input } from '@vigie/contracts/contract';
import type { reportVisits } from '@vigie/contracts/site-checks';
import type { BeatState } from '@vigie/contracts/uptime';
import type { DataSource, EntityManager } from 'typeorm';
import { type Checks, countFailures, countSuccesses } from '../incidents/conditions';
import {
  isBlind,
  isNetworkSuspect,
  networkChecks,
  networkFailure,
  type NetworkReport,
  saveNetwork,
} from '../incidents/network';
import { updateIncidents } from '../incidents/update-incidents';
import { findSitesUnderWork } from '../queue/sites-under-work';
import { checkSeconds, hurryVisits } from '../sweeps/schedule';
import { saveVisits } from '../sites/save-visits';
import { doubtSamplesSince, insertSamples } from '../uptime/samples';
import { countCertificates } from './certificates';

type VisitReport = Input<typeof reportVisits>;
type Check = VisitReport['items'][number];
type JudgedCheck = Check & { state: BeatState };

const checks: Checks = { kind: 'outage', subjectKind: 'site', seconds: checkSeconds('site-visit') };

/** No answer, or an error of the server. A refusal such as 403 or 404 is an answer. */
const hasFailed = ({ seen: { code } }: Check) => code === 0 || code >= 500;

/** Stores what visits of sites found, and opens or ends incidents by them. */
export async function saveChecks(database: DataSource, { items, network }: VisitReport): Promise<void> {
  const { manager } = database;
  await saveNetwork(manager, network);
  const current = await withoutOutdated(manager, items);
  const cannotSee = network !== 'up' && (await isBlind(manager));
  const judged = await judge(manager, current, cannotSee);
  await database.transaction(async (transaction) => {
    await insertSamples(
      transaction,
      judged.map(({ id, seen: { code, ms }, state }) => ({ site_id: id, code, ms, state })),
    );
    const known = judged.filter(({ state }) => state !== 'unsure');
    if (known.length > 0) await saveVisits(transaction, known, { isRoutine: true });
  });
  const changes = [
    await countOutages(manager, judged, cannotSee),
    await countNetwork(manager, { items: judged, network }, cannotSee),
    await countCertificates(manager, current),
  ];
  if (!changes.includes(true)) return;
  const opened = await updateIncidents(database);
  const cut = opened.find(({ kind }) => kind === 'network');
  if (cut) await doubtSamplesSince(manager, new Date(cut.since.getTime() - onsetMs));
}

/** The first third of the sites fails before it is known that the network is cut. */
const onsetMs = 180_000;

/** Drops visits of sites that were deleted or have another address by now. */
async function withoutOutdated(manager: EntityManager, items: readonly Check[]): Promise<Check[]> {
  const rows: { id: string; url: string }[] = await manager.query(
    'select id, url from sites where id = any($1::uuid[])',
    [items.map(({ id }) => id)],
  );
  const urls = new Map(rows.map(({ id, url }) => [id, url]));
  return items.filter(({ id, url }) => urls.get(id) === url);
}

async function judge(manager: EntityManager, items: readonly Check[], cannotSee: boolean): Promise<JudgedCheck[]> {
  const failed = items.filter(hasFailed).map(({ id }) => id);
  const underWork = failed.length > 0 ? await findSitesUnderWork(manager, failed) : new Set<string>();
  const stateOf = (item: Check): BeatState => {
    if (!hasFailed(item)) return 'up';
    if (underWork.has(item.id)) return 'excused';
    return cannotSee && item.seen.code === 0 ? 'unsure' : 'down';
  };
  return items.map((item) => ({ ...item, state: stateOf(item) }));
}

async function countOutages(
  manager: EntityManager,
  items: readonly JudgedCheck[],
  cannotSee: boolean,
): Promise<boolean> {
  const inState = (...states: BeatState[]) => items.filter(({ state }) => states.includes(state));
  const failures = inState('down', 'unsure').map(({ id, seen: { code, error } }) => ({
    id,
    evidence: { code, reason: error, ends_at: null },
  }));
  const mustOpen = await countFailures(manager, checks, failures, { isBlind: cannotSee });
  await hurryVisits(
    manager,
    failures.map(({ id }) => id),
  );
  const mayEnd = await countSuccesses(
    manager,
    checks,
    inState('up').map(({ id }) => id),
  );
  return mustOpen || mayEnd;
}

type NetworkEvidence = { items: readonly JudgedCheck[]; network: NetworkReport };

/** An agent that was started anew does not ask about its network while all sites answer: that says it too. */
async function countNetwork(
  manager: EntityManager,
  { items, network }: NetworkEvidence,
  cannotSee: boolean,
): Promise<boolean> {
  if (cannotSee) return countFailures(manager, networkChecks, [networkFailure]);
  const isUp = network === 'up' || (network === null && items.some(({ state }) => state === 'up'));
  if (!isUp || !(await isNetworkSuspect(manager))) return false;
  return countSuccesses(manager, networkChecks, [networkFailure.id]);
}

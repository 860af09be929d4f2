import type { Input } from '@vigie/contracts/contract';
import type { reportVisits } from '@vigie/contracts/site-checks';
import { forbiddenAddress } from '@vigie/contracts/sites';
import type { BeatState } from '@vigie/contracts/uptime';
import type { DataSource, EntityManager } from 'typeorm';
import { type Checks, countFailures, countSuccesses } from '../incidents/conditions';
import {
  isAgentCut,
  isBlind,
  isNetworkSuspect,
  networkChecks,
  networkFailure,
  type NetworkReport,
  saveNetwork,
} from '../incidents/network';
import { noteVisits } from '../incidents/unwatched';
import { updateIncidents } from '../incidents/update-incidents';
import { findSitesUnderWork } from '../queue/sites-under-work';
import { checkSeconds, hurryVisits, isEnabled } from '../sweeps/schedule';
import { saveVisits } from '../sites/save-visits';
import { insertSamples } from '../visit-history/samples';
import { countCertificates } from './certificates';

type VisitReport = Input<typeof reportVisits>;
type Check = VisitReport['items'][number];
type JudgedCheck = Check & { state: BeatState };

const checks: Checks = { kind: 'outage', subjectKind: 'site', seconds: checkSeconds('site-visit') };

/** No answer, or an error of the server. A refusal such as 403 or 404 is an answer. */
const hasFailed = ({ seen: { code } }: Check) => code === 0 || code >= 500;

/** Vigie's own rule refused the address: that says nothing about the site. */
const isForbidden = ({ seen: { error } }: Check) => error === forbiddenAddress;

/** Stores what visits of sites found, and opens or ends incidents by them. */
export async function saveChecks(database: DataSource, { items, network }: VisitReport): Promise<void> {
  const { manager } = database;
  await saveNetwork(manager, network);
  const current = await withoutOutdated(manager, items);
  const cannotSee = network !== 'up' && (await isBlind(manager));
  const isCut = cannotSee || (await isAgentCut(manager, network));
  const judged = await judge(manager, current, isCut);
  await database.transaction((transaction) => storeChecks(transaction, judged));
  const changes = [
    await countOutages(manager, judged),
    await countNetwork(manager, { items: judged, network }, cannotSee),
    !isCut && (await countCertificates(manager, judged)),
  ];
  if (changes.includes(true)) await updateIncidents(database);
}

async function storeChecks(manager: EntityManager, judged: readonly JudgedCheck[]): Promise<void> {
  const counted = judged.filter((check) => !isForbidden(check));
  await insertSamples(
    manager,
    counted.map(({ id, seen: { code, ms }, state }) => ({ site_id: id, code, ms, state })),
    checks.seconds,
  );
  const certain = judged.filter(({ state }) => state !== 'unsure');
  if (certain.length > 0) await saveVisits(manager, certain, { isRoutine: true });
  if (isEnabled('site-visit')) await noteVisits(manager, checks.seconds);
}

/** Drops visits of sites that were deleted or have another address by now. An agent that was away has some twice. */
async function withoutOutdated(manager: EntityManager, items: readonly Check[]): Promise<Check[]> {
  const rows: { id: string; url: string }[] = await manager.query(
    'select id, url from sites where id = any($1::uuid[])',
    [items.map(({ id }) => id)],
  );
  const urls = new Map(rows.map(({ id, url }) => [id, url]));
  const current = items.filter(({ id, url }) => urls.get(id) === url);
  return [...new Map(current.map((item) => [item.id, item])).values()];
}

async function judge(manager: EntityManager, items: readonly Check[], isCut: boolean): Promise<JudgedCheck[]> {
  const failed = items.filter(hasFailed).map(({ id }) => id);
  const underWork = failed.length > 0 ? await findSitesUnderWork(manager, failed) : new Set<string>();
  const stateOf = (item: Check): BeatState => {
    if (!hasFailed(item)) return 'up';
    if (underWork.has(item.id)) return 'excused';
    return isCut && item.seen.code === 0 ? 'unsure' : 'down';
  };
  return items.map((item) => ({ ...item, state: stateOf(item) }));
}

async function countOutages(manager: EntityManager, items: readonly JudgedCheck[]): Promise<boolean> {
  const counted = items.filter((check) => !isForbidden(check));
  const failuresIn = (wanted: BeatState) =>
    counted
      .filter(({ state }) => state === wanted)
      .map(({ id, seen: { code, error } }) => ({ id, evidence: { code, reason: error, ends_at: null } }));
  const mustOpen = await countFailures(manager, checks, failuresIn('down'));
  await countFailures(manager, checks, failuresIn('unsure'), { isBlind: true });
  const good = counted.filter(({ state }) => state === 'up').map(({ id }) => id);
  const mayEnd = await countSuccesses(manager, checks, good);
  await hurryVisits(
    manager,
    items.map(({ id }) => id),
  );
  return mustOpen || mayEnd;
}

/** The canaries prove that Vigie reaches others again, and so does any site that answers. */
async function countNetwork(
  manager: EntityManager,
  { items, network }: { items: readonly JudgedCheck[]; network: NetworkReport },
  cannotSee: boolean,
): Promise<boolean> {
  if (cannotSee) return countFailures(manager, networkChecks, [networkFailure]);
  const isUp = network === 'up' || items.some(({ state }) => state === 'up');
  if (!isUp || !(await isNetworkSuspect(manager))) return false;
  return countSuccesses(manager, networkChecks, [networkFailure.id]);
}

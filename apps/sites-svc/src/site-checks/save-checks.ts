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
import { checkSeconds, hurryVisits, isEnabled } from '../sweeps/schedule';
import { visitSeconds } from '../sweeps/visit-intervals';
import { saveVisits } from '../sites/save-visits';
import { insertSamples } from '../visit-history/samples';
import { countAddresses } from './addresses';
import { countCertificates } from './certificates';
import { countContent, showsOtherPage } from './content';
import { findExcused } from './excused';

type VisitReport = Input<typeof reportVisits>;
/** With how often the site is visited. */
type Check = VisitReport['items'][number] & { seconds: number };
/** What it finds wrong while `isExcused` counts for nothing. */
type JudgedCheck = Check & { state: BeatState; isExcused: boolean };

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
    !isCut && (await countContent(database, judged)),
    !isCut && (await countAddresses(manager, judged)),
  ];
  await hurryVisits(
    manager,
    judged.map(({ id }) => id),
  );
  if (changes.includes(true)) await updateIncidents(database);
}

async function storeChecks(manager: EntityManager, judged: readonly JudgedCheck[]): Promise<void> {
  const counted = judged.filter((check) => !isForbidden(check));
  await insertSamples(
    manager,
    counted.map(({ id, seen: { code, ms }, state, seconds }) => ({ site_id: id, code, ms, state, seconds })),
  );
  const certain = judged.filter(({ state }) => state !== 'unsure');
  if (certain.length > 0) await saveVisits(manager, certain, { isRoutine: true });
  if (isEnabled('site-visit')) await noteVisits(manager);
}

/** Drops visits of sites that were deleted or have another address by now. An agent that was away has some twice. */
async function withoutOutdated(manager: EntityManager, items: VisitReport['items']): Promise<Check[]> {
  const rows: { id: string; url: string; seconds: number }[] = await manager.query(
    `select id, url, ${visitSeconds('s.id', '$2::float8')}::float8 as seconds from sites s where id = any($1::uuid[])`,
    [items.map(({ id }) => id), checks.seconds],
  );
  const sites = new Map(rows.map((site) => [site.id, site]));
  const current = items.flatMap((item) => {
    const site = sites.get(item.id);
    return site?.url === item.url ? [{ ...item, seconds: site.seconds }] : [];
  });
  return [...new Map(current.map((item) => [item.id, item])).values()];
}

async function judge(manager: EntityManager, items: readonly Check[], isCut: boolean): Promise<JudgedCheck[]> {
  const failed = items.filter((item) => hasFailed(item) || showsOtherPage(item)).map(({ id }) => id);
  const excused = await findExcused(manager, failed);
  const stateOf = (item: Check, isExcused: boolean): BeatState => {
    if (!hasFailed(item)) return 'up';
    if (isExcused) return 'excused';
    return isCut && item.seen.code === 0 ? 'unsure' : 'down';
  };
  return items.map((item) => {
    const isExcused = excused.has(item.id);
    return { ...item, isExcused, state: stateOf(item, isExcused) };
  });
}

async function countOutages(manager: EntityManager, items: readonly JudgedCheck[]): Promise<boolean> {
  const counted = items.filter((check) => !isForbidden(check));
  const failuresIn = (wanted: BeatState) =>
    counted
      .filter(({ state }) => state === wanted)
      .map(({ id, seconds, seen: { code, error } }) => ({
        id,
        seconds,
        evidence: { code, reason: error, ends_at: null },
      }));
  const mustOpen = await countFailures(manager, checks, failuresIn('down'));
  await countFailures(manager, checks, failuresIn('unsure'), { isBlind: true });
  const good = counted.filter(({ state }) => state === 'up').map(({ id }) => id);
  const mayEnd = await countSuccesses(manager, checks, good);
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

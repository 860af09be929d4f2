import { setTimeout as wait } from 'node:timers/promises';
import { requestTicket } from '@vigie/testing/consoles';
import { addServer, aServer } from '@vigie/testing/hosts';
import { type Answer } from '@vigie/testing/product';
import type { Random } from '../chaos/random';
import { fr } from '../terminal';
import { doorCases, speak, speeches } from './consoles';
import { startHostile, ways } from './hosts';
import { faultsOf } from './judge';
import { ownerName } from './people';
import type { Report } from './report';
import type { Case } from './send';
import type { Stage } from './stage';

/** How many of them a short attack has time for. */
const [fewSpeeches, fewWays] = [4, 3];
/** Below what one person may have open. */
const speechesAtOnce = 4;
const finalMs = 90_000;
/** An agent that is gone is given up after 20 s. */
const endMs = 30_000;

const some = <T>(all: readonly T[], random: Random, count: number) =>
  all.toSorted(() => random.next() - 0.5).slice(0, count);

/** Says in consoles what nobody should; the ways to one that remain to be tried. */
export async function attackConsoles(stage: Stage, random: Random, report: Report, isShort: boolean): Promise<Case[]> {
  const { product } = stage;
  const token = stage.people.token(ownerName);
  const serverId = (await addServer(product, token, aServer(stage.host))).id;
  const said = some(Object.entries(speeches), random, isShort ? fewSpeeches : Infinity);
  for (let at = 0; at < said.length; at += speechesAtOnce) {
    const each = said.slice(at, at + speechesAtOnce).map(async ([name, words]) => {
      for (const fault of await speak(product, { serverId, token, random }, words()))
        report.find(fr`${fault} : ${name}`);
      report.sent += 1;
    });
    await Promise.all(each);
    if (!(await endConsoles(stage, token, serverId))) report.find('console : restée ouverte');
  }
  const gateway = product.gateways[0] ?? '';
  return doorCases({ gateway, serverId, token }, () => requestTicket(product, token, serverId));
}

/** Whether they are over soon. */
async function endConsoles({ product }: Stage, token: string, serverId: string): Promise<boolean> {
  for (const until = performance.now() + endMs; performance.now() < until; ) {
    const { rows } = await product.database.query<{ id: string }>(
      'select id from sites.consoles where server_id = $1 and ended_at is null',
      [serverId],
    );
    if (rows.length === 0) return true;
    await Promise.all(rows.map(({ id }) => product.request('DELETE', `/api/consoles/${id}`, { token })));
    await wait(100);
  }
  return false;
}

/** Work on hosts each of which has one way to lie. */
export async function attackHosts(stage: Stage, random: Random, report: Report, isShort: boolean): Promise<void> {
  const chosen = some(Object.keys(ways), random, isShort ? fewWays : Infinity);
  await Promise.all(chosen.map((way) => attackHost(stage, way, random, report)));
}

async function attackHost(stage: Stage, way: string, random: Random, report: Report): Promise<void> {
  const host = await startHostile(random, [way]);
  try {
    const token = stage.people.token(ownerName);
    const { product } = stage;
    const server = (await addServer(product, token, aServer(host))).id;
    const connection = { ssh: { server_id: server, wp_path: '/srv/site' } };
    const made = await product.request('POST', '/api/sites', {
      token,
      body: { name: 'site', url: 'http://127.0.0.1:9/', connection },
    });
    const site = String(made.body['id']);
    const asked: [string, string][] = [
      ['POST', `/api/servers/${server}/test`],
      ['POST', `/api/servers/${server}/discover`],
      ['GET', `/api/servers/${server}/status?fresh=1`],
      ['POST', `/api/sites/${site}/test`],
      ['GET', `/api/sites/${site}/inventory?fresh=1`],
      ['POST', `/api/sites/${site}/repairs/look`],
      ['GET', `/api/sites/${site}/backups`],
      ['POST', `/api/sites/${site}/backups`],
      ['DELETE', `/api/sites/${site}/backups/a.wpress`],
    ];
    for (const [method, path] of asked) await askHost(stage, token, { way, method, path }, report);
    for (const path of [`/api/servers/${server}`, `/api/sites/${site}`])
      await askHost(stage, token, { way, method: 'GET', path }, report);
  } finally {
    await host.close();
  }
}

/** With what came of it where it is a job. */
async function askHost(
  { product, planted }: Stage,
  token: string,
  { way, method, path }: { way: string; method: string; path: string },
  report: Report,
): Promise<void> {
  const [headers, body] = [{ prefer: 'respond-async' }, method === 'POST' ? { body: {} } : {}];
  const one: Case = {
    kind: `hôte : ${way}`,
    aim: `${method} ${path}`,
    who: ownerName,
    mayPass: true,
    method,
    path,
    headers,
  };
  const note = (answer: Answer, since: number) => {
    const answered = {
      status: answer.status,
      text: answer.text,
      ms: performance.now() - since,
      retryAfter: answer.headers.get('retry-after') ?? undefined,
    };
    const faults = faultsOf(one, answered, planted);
    report.note(one, answered, hasControls(answer.body) ? [...faults, 'caractères de commande'] : faults);
  };
  const since = performance.now();
  const answer = await product.request(method, path, { token, headers, ...body });
  note(answer, since);
  const { job_id: id } = answer.body;
  if (answer.status !== 202 || typeof id !== 'string') return;
  for (const until = performance.now() + finalMs; performance.now() < until; ) {
    const asked = performance.now();
    const job = await product.request('GET', `/api/jobs/${id}`, { token });
    if (!['queued', 'running'].includes(String(job.body['state']))) return note(job, asked);
    await wait(100);
  }
  report.find('tâche sans fin', one);
}

/** What a terminal or a reader would obey. */
const hasControls = (value: unknown): boolean =>
  typeof value === 'string'
    ? /[^\P{Cc}\n\t]|[\u202A-\u202E]/u.test(value)
    : Object.values(Object(value)).some(hasControls);

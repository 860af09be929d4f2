import { setTimeout as wait } from 'node:timers/promises';
import { requestTicket } from '@vigie/testing/consoles';
import { addServer, aServer } from '@vigie/testing/hosts';
import { type Answer } from '@vigie/testing/product';
import type { Random } from '../chaos/random';
import { fr } from '../terminal';
import { handshakeCases, sendFrames, hostileFrames } from './consoles';
import { startHostileHost, hostBehaviours } from './hosts';
import { findFaults } from './judge';
import { ownerName } from './people';
import type { Report } from './report';
import type { HostileRequest } from './send';
import type { Stage } from './stage';

const [shortFrameCount, shortBehaviourCount] = [4, 3];
/** Below the limit of consoles per user. */
const parallelConsoles = 4;
const jobTimeoutMs = 90_000;
/** A lost agent is given up after 20 s. */
const closeTimeoutMs = 30_000;

const sample = <T>(items: readonly T[], random: Random, count: number) =>
  items.toSorted(() => random.next() - 0.5).slice(0, count);

/** Sends hostile frames to consoles; returns the handshakes to try afterwards. */
export async function attackConsoles(
  stage: Stage,
  random: Random,
  report: Report,
  isShort: boolean,
): Promise<HostileRequest[]> {
  const { product } = stage;
  const token = stage.people.token(ownerName);
  const serverId = (await addServer(product, token, aServer(stage.host))).id;
  const frames = sample(Object.entries(hostileFrames), random, isShort ? shortFrameCount : Infinity);
  for (let at = 0; at < frames.length; at += parallelConsoles) {
    const batch = frames.slice(at, at + parallelConsoles).map(async ([name, createBytes]) => {
      for (const fault of await sendFrames(product, { serverId, token, random }, createBytes()))
        report.addFinding(fr`${fault} : ${name}`);
      report.sent += 1;
    });
    await Promise.all(batch);
    if (!(await endConsoles(stage, token, serverId))) report.addFinding('console : restée ouverte');
  }
  const gateway = product.gateways[0] ?? '';
  return handshakeCases({ gateway, serverId, token }, () => requestTicket(product, token, serverId));
}

/** Ends all consoles; resolves to whether they are closed in time. */
async function endConsoles({ product }: Stage, token: string, serverId: string): Promise<boolean> {
  for (const deadline = performance.now() + closeTimeoutMs; performance.now() < deadline; ) {
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

/** Runs operations on hosts with one hostile behaviour each. */
export async function attackHosts(stage: Stage, random: Random, report: Report, isShort: boolean): Promise<void> {
  const chosen = sample(Object.keys(hostBehaviours), random, isShort ? shortBehaviourCount : Infinity);
  await Promise.all(chosen.map((behaviour) => attackHost(stage, behaviour, random, report)));
}

async function attackHost(stage: Stage, behaviour: string, random: Random, report: Report): Promise<void> {
  const host = await startHostileHost(random, [behaviour]);
  try {
    const token = stage.people.token(ownerName);
    const { product } = stage;
    const serverId = (await addServer(product, token, aServer(host))).id;
    const connection = { ssh: { server_id: serverId, wp_path: '/srv/site' } };
    const created = await product.request('POST', '/api/sites', {
      token,
      body: { name: 'site', url: 'http://127.0.0.1:9/', connection },
    });
    const siteId = String(created.body['id']);
    const asked: [string, string][] = [
      ['POST', `/api/servers/${serverId}/test`],
      ['POST', `/api/servers/${serverId}/discover`],
      ['GET', `/api/servers/${serverId}/status?fresh=1`],
      ['POST', `/api/sites/${siteId}/test`],
      ['GET', `/api/sites/${siteId}/inventory?fresh=1`],
      ['POST', `/api/sites/${siteId}/repairs/look`],
      ['GET', `/api/sites/${siteId}/backups`],
      ['POST', `/api/sites/${siteId}/backups`],
      ['DELETE', `/api/sites/${siteId}/backups/a.wpress`],
    ];
    for (const [method, path] of asked) await callHost(stage, token, { behaviour, method, path }, report);
    for (const path of [`/api/servers/${serverId}`, `/api/sites/${siteId}`])
      await callHost(stage, token, { behaviour, method: 'GET', path }, report);
  } finally {
    await host.close();
  }
}

async function callHost(
  { product, canaries }: Stage,
  token: string,
  { behaviour, method, path }: { behaviour: string; method: string; path: string },
  report: Report,
): Promise<void> {
  const [headers, body] = [{ prefer: 'respond-async' }, method === 'POST' ? { body: {} } : {}];
  const request: HostileRequest = {
    kind: `hôte : ${behaviour}`,
    routeKey: `${method} ${path}`,
    sender: ownerName,
    mayPass: true,
    method,
    path,
    headers,
  };
  const record = (answer: Answer, since: number) => {
    const httpAnswer = {
      status: answer.status,
      text: answer.text,
      ms: performance.now() - since,
      retryAfter: answer.headers.get('retry-after') ?? undefined,
    };
    const faults = findFaults(request, httpAnswer, canaries);
    report.record(
      request,
      httpAnswer,
      hasControlCharacters(answer.body) ? [...faults, 'caractères de commande'] : faults,
    );
  };
  const since = performance.now();
  const answer = await product.request(method, path, { token, headers, ...body });
  record(answer, since);
  const { job_id: id } = answer.body;
  if (answer.status !== 202 || typeof id !== 'string') return;
  for (const deadline = performance.now() + jobTimeoutMs; performance.now() < deadline; ) {
    const asked = performance.now();
    const job = await product.request('GET', `/api/jobs/${id}`, { token });
    if (!['queued', 'running'].includes(String(job.body['state']))) return record(job, asked);
    await wait(100);
  }
  report.addFinding('tâche sans fin', request);
}

/** Whether a text contains control characters that affect a terminal or the direction of text. */
const hasControlCharacters = (value: unknown): boolean =>
  typeof value === 'string'
    ? /[^\P{Cc}\n\t]|[\u202A-\u202E]/u.test(value)
    : Object.values(Object(value)).some(hasControlCharacters);

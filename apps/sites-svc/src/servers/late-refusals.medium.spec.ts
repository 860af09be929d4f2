import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { finishJob } from '@vigie/contracts/jobs';
import { claimSweep, type HostProbe, probeServer, reportSweep } from '@vigie/contracts/server-health';
import { claimScans, reportScans } from '@vigie/contracts/site-checks';
import { emptyTables } from '@vigie/testing/database';
import { TestLedger } from '@vigie/testing/ledger';
import { aSiteState } from '@vigie/testing/site-state';
import { until } from '@vigie/testing/until';

let ledger: TestLedger;
let serverId: string;
beforeAll(async () => {
  ledger = await TestLedger.start();
  serverId = ledger.server.id;
  await ledger.rows("update sites.servers set method = 'key'");
});
afterAll(() => ledger?.stop());
beforeEach(async () => {
  await emptyTables(ledger.product.database, 'sites.sites', 'sites.jobs');
  await ledger.rows('update sites.servers set refusal = null, status = null');
});

const refusal = { message: 'Le serveur refuse la clé.', code: 'authentication' };
const key = `SHA256:${'B'.repeat(43)}`;

async function claimProbe() {
  const { items } = await ledger.agent.call(claimSweep, { ids: [serverId] });
  const [access] = items;
  if (!access) throw new Error('no access');
  return access;
}
type Probe = Awaited<ReturnType<typeof claimProbe>>;
const accepted: HostProbe = { online: true, method: 'ssh', host_key: null, vitals: null, failure: null };
const refused: HostProbe = { ...accepted, method: 'tcp', failure: refusal };
const report = ({ version, logins }: Probe, result: HostProbe) =>
  ledger.agent.call(reportSweep, { items: [{ ...result, id: serverId, version, logins }] });
const readError = async () =>
  Object((await ledger.request('GET', `/servers/${serverId}`)).body['status'])['error'] as unknown;

async function claimScan(id: string) {
  const { groups } = await ledger.agent.call(claimScans, { ids: [id] });
  const [group] = groups;
  if (!group) throw new Error('not scanned');
  return { id, version: 1, logins: group.access.logins };
}
const refuseScan = (scan: Awaited<ReturnType<typeof claimScan>>) =>
  ledger.agent.call(reportScans, { items: [{ ...scan, facts: null, failure: refusal }] });

async function beginTest(path: string, kind: string): Promise<{ id: string; fence: number }> {
  const { body } = await ledger.request('POST', `${path}/test`, { headers: { prefer: 'respond-async' } });
  const id = String(body['job_id'] ?? body['id']);
  const { fence } = await ledger.begin(id, [kind]);
  return { id, fence };
}
async function passTest(path: string, kind: string, result: Record<string, unknown>): Promise<void> {
  await pass(await beginTest(path, kind), result);
}
const pass = (test: { id: string; fence: number }, result: Record<string, unknown>) =>
  ledger.agent.call(finishJob, { ...test, state: 'succeeded', result, error: null });
const serverResult = () => ({ stdout: 'Linux', method: 'key', host_key: key, steps: [] });
const passServerTest = () => passTest(`/servers/${serverId}`, 'servers.test', serverResult());
const passSiteTest = (id: string) =>
  passTest(`/sites/${id}`, 'sites.test', { version: '6.9', steps: [], facts: aSiteState(), host_key: key });

describe('a probe that was refused', () => {
  it('says nothing any more once a test that ended later was accepted', async () => {
    const probe = await claimProbe();
    await passServerTest();
    await report(probe, refused);
    expect([await readError(), (await claimProbe()).tcp_only]).toEqual([null, false]);
    await report(await claimProbe(), refused);
    expect([await readError(), (await claimProbe()).tcp_only]).toEqual([refusal.message, true]);
  });

  it('says nothing any more once another probe logged in', async () => {
    const [early, late] = [await claimProbe(), await claimProbe()];
    await report(late, accepted);
    await report(early, refused);
    expect([await readError(), (await claimProbe()).tcp_only]).toEqual([null, false]);
  });

  it('is outdated even when it is stored before the login', async () => {
    const [early, late] = [await claimProbe(), await claimProbe()];
    await report(early, refused);
    await report(late, accepted);
    expect([await readError(), (await claimProbe()).tcp_only]).toEqual([null, false]);
  });

  it('is followed by another probe when somebody waits for the status', async () => {
    let probes = 0;
    const tests: Awaited<ReturnType<typeof beginTest>>[] = [];
    const stop = await ledger.agent.answer(probeServer, async () => {
      const [test] = tests;
      if (!test) return accepted;
      probes += 1;
      if (probes > 1) return accepted;
      await pass(test, serverResult());
      return refused;
    });
    const readStatus = async () => (await ledger.request('GET', `/servers/${serverId}/status?fresh=1`)).body;
    // A probe that an earlier test began may still fail, and a request meanwhile gets its result.
    await until(async () => (await readStatus())['method'] === 'ssh');
    // It is begun before the status is read, since that waits for a probe only a moment.
    tests.push(await beginTest(`/servers/${serverId}`, 'servers.test'));
    expect(await readStatus()).toMatchObject({ method: 'ssh', error: null, refreshing: false });
    expect(probes).toBe(2);
    stop();
  });
});

it('a test that was refused says nothing any more once a probe logged in', async () => {
  const test = await beginTest(`/servers/${serverId}`, 'servers.test');
  await report(await claimProbe(), accepted);
  await ledger.agent.call(finishJob, { ...test, state: 'failed', result: null, error: refusal });
  expect((await claimProbe()).tcp_only).toBe(false);
  const next = await beginTest(`/servers/${serverId}`, 'servers.test');
  await ledger.agent.call(finishJob, { ...next, state: 'failed', result: null, error: refusal });
  expect((await claimProbe()).tcp_only).toBe(true);
});

describe('a scan that was refused', () => {
  it.each([
    ['with the server’s key', {}],
    ['with its own address', { user: 'autre' }],
  ])('%s says nothing any more once a test that ended later was accepted', async (_, ssh) => {
    const connection = { ssh: { server_id: serverId, wp_path: '/srv/www', ...ssh } };
    const created = await ledger.request('POST', '/sites', {
      body: { name: 's', url: 'https://exemple.fr', connection },
    });
    const id = String(created.body['id']);
    const scan = await claimScan(id);
    await passSiteTest(id);
    await refuseScan(scan);
    expect((await ledger.request('GET', `/sites/${id}`)).body).toMatchObject({ ssh_error: null });
    await refuseScan(await claimScan(id));
    expect((await ledger.request('GET', `/sites/${id}`)).body).toMatchObject({ ssh_error: refusal.message });
    expect((await ledger.agent.call(claimScans, { ids: [id] })).groups).toEqual([]);
  });
});

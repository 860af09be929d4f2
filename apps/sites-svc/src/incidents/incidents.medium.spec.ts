import { randomUUID } from 'node:crypto';
import type { Incident } from '@vigie/contracts/incidents';
import { reportSweep } from '@vigie/contracts/server-health';
import { reportVisits } from '@vigie/contracts/site-checks';
import { forbiddenAddress } from '@vigie/contracts/sites';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { IncidentStage, urlOf } from '@vigie/testing/incidents';

let stage: IncidentStage;
beforeAll(async () => {
  stage = await IncidentStage.open();
});
afterAll(() => stage?.close());
beforeEach(() => stage.empty());

/** Without the second opinion, which is asked for every two seconds and may arrive between any two events. */
const kindsOf = ({ events }: Incident) => events.map(({ kind }) => kind).filter((kind) => kind !== 'opinion');

describe('an outage', () => {
  it('is opened by the third failed check and ends with the second good one', async () => {
    const sites = await stage.addSites(['boutique']);
    await stage.reportTimes(2, sites, { code: 502 });
    expect(await stage.list()).toEqual([]);
    await stage.report(sites, { code: 502 });
    // The same check may be reported twice.
    await stage.report(sites, { code: 502 });
    const open = await stage.only();
    expect(open).toMatchObject({
      kind: 'outage',
      severity: 'critical',
      state: 'open',
      cause: { kind: 'site', id: sites['boutique'], name: 'boutique' },
      evidence: { code: 502, reason: null },
      sites: 1,
      failing: 1,
      can_act: true,
    });
    expect(open.observed_at < open.opened_at).toBe(true);
    await stage.passMinute();
    await stage.report(sites, { code: 200 });
    expect(await stage.list('?state=open')).toHaveLength(1);
    await stage.passMinute();
    await stage.report(sites, { code: 200 });
    const ended = await stage.only('?state=resolved');
    expect(ended).toMatchObject({ id: open.id, resolution: 'recovered', failing: 0, subjects: [{ name: 'boutique' }] });
    expect(kindsOf(ended)).toEqual(['observed', 'opened', 'recovered', 'resolved']);
    expect(await stage.list('?state=open')).toEqual([]);
  });

  it('is no matter of a refusal, of a repeated report, or of failures that nobody watched in between', async () => {
    const sites = await stage.addSites(['boutique']);
    await stage.reportTimes(3, sites, { code: 404 });
    expect(await stage.list()).toEqual([]);
    for (let at = 0; at < 4; at += 1) await stage.report(sites, { code: 500 });
    expect(await stage.list()).toEqual([]);
    await stage.reportTimes(1, sites, { code: 500 });
    await stage.query("update sites.conditions set checked_at = now() - interval '1 hour'");
    await stage.reportTimes(2, sites, { code: 500 });
    expect(await stage.list()).toEqual([]);
    await stage.report(sites, { code: 500 });
    expect(await stage.list()).toHaveLength(1);
  });

  it('goes on when it comes back within half an hour, and is then known to come and go', async () => {
    const sites = await stage.addSites(['boutique']);
    const goDown = () => stage.reportTimes(3, sites, { code: 500 });
    await goDown();
    for (let at = 0; at < 2; at += 1) {
      await stage.reportTimes(2, sites, { code: 200 });
      expect(await stage.list('?state=open')).toEqual([]);
      await goDown();
    }
    expect(await stage.only()).toMatchObject({ state: 'open', is_flapping: true, reopenings: 2 });
    await stage.reportTimes(9, sites, { code: 200 });
    expect(await stage.list('?state=open')).toHaveLength(1);
    await stage.report(sites, { code: 200 });
    const ended = await stage.only('?state=resolved');
    expect(kindsOf(ended).filter((kind) => kind === 'reopened')).toHaveLength(2);
    await stage.query("update sites.incidents set resolved_at = now() - interval '31 minutes'");
    await goDown();
    expect(await stage.list('?state=open')).toMatchObject([{ is_flapping: false, reopenings: 0 }]);
    expect(await stage.list()).toHaveLength(2);
  });

  it('is the matter of the server whose sites fail together', async () => {
    const server = await stage.addServer('web-03');
    const [first, others] = [
      await stage.addSites(['un'], server),
      await stage.addSites(['deux', 'trois', 'quatre'], server),
    ];
    await stage.reportTimes(3, first);
    expect((await stage.only()).cause).toMatchObject({ kind: 'site', name: 'un' });
    // The incident of the first site, which is still young, becomes a part of it.
    await stage.reportTimes(3, { ...first, ...others });
    const open = await stage.only('?state=open');
    expect(open).toMatchObject({ cause: { kind: 'server', id: server, name: 'web-03' }, sites: 4, failing: 4 });
    expect(open.is_server_down).toBe(false);
    expect(await stage.only('?state=resolved')).toMatchObject({
      cause: { name: 'un' },
      resolution: 'merged',
      merged_into: open.id,
    });
    await stage.reportTimes(2, others, { code: 200 });
    expect(await stage.only('?state=open')).toMatchObject({ sites: 4, failing: 1 });
    expect(await stage.list(`?site_id=${first['un']}&state=open`)).toHaveLength(1);
    expect(await stage.list(`?server_id=${server}`)).toHaveLength(1);
    await stage.reportTimes(2, first, { code: 200 });
    expect(await stage.list('?state=open')).toEqual([]);
  });

  it('of many sites at once is one incident for each server', async () => {
    const servers = [await stage.addServer('web-01'), await stage.addServer('web-02')];
    const names = (prefix: string) => Array.from({ length: 100 }, (_, at) => `${prefix}-${at}`);
    const fleets = [await stage.addSites(names('a'), servers[0]), await stage.addSites(names('b'), servers[1])];
    for (let at = 0; at < 3; at += 1) {
      await Promise.all([...fleets, ...fleets].map((sites) => stage.report(sites)));
      await stage.passMinute();
    }
    const found = (await stage.list()).map(({ cause, sites }) => `${cause.name} ${sites}`);
    expect(found.toSorted()).toEqual(['web-01 100', 'web-02 100']);
    for (let at = 0; at < 2; at += 1) {
      await Promise.all(fleets.map((sites) => stage.report(sites, { code: 200 })));
      await stage.passMinute();
    }
    expect(await stage.list('?state=open')).toEqual([]);
    expect((await stage.query('select from sites.incident_subjects where until is null')).rows).toEqual([]);
  });

  it('of a server that does not answer itself is one with its sites, and a refused login is none', async () => {
    const server = await stage.addServer('web-03');
    const sites = await stage.addSites(['un', 'deux'], server);
    const probe = { id: server, version: 1, method: null, host_key: null, vitals: null };
    const reportServer = async (online: boolean, code: string) => {
      const failure = online ? null : { message: 'Le serveur ne répond pas.', code };
      await stage.agent.call(reportSweep, { items: [{ ...probe, online, method: online ? 'tcp' : null, failure }] });
      await stage.passMinute();
    };
    for (let at = 0; at < 3; at += 1) await reportServer(false, 'forbidden');
    for (let at = 0; at < 3; at += 1) await reportServer(true, '');
    expect(await stage.list()).toEqual([]);
    for (let at = 0; at < 3; at += 1) {
      await reportServer(false, 'unreachable');
      await stage.report(sites);
    }
    await stage.reportTimes(1, sites);
    expect(await stage.only('?state=open')).toMatchObject({
      cause: { kind: 'server', name: 'web-03' },
      is_server_down: true,
      sites: 2,
      evidence: { code: null, reason: 'Le serveur ne répond pas.' },
    });
    for (let at = 0; at < 2; at += 1) await reportServer(true, '');
    await stage.reportTimes(2, sites, { code: 200 });
    expect(await stage.list('?state=open')).toEqual([]);
  });

  it('does not come from what Vigie itself does to the site', async () => {
    const sites = await stage.addSites(['boutique']);
    const job = randomUUID();
    await stage.query(
      `insert into sites.jobs (id, kind, owner_id, actor_id, site_id, site_name, queue, lane, is_exclusive, is_heavy, input, state, started_at)
       values ($1, 'changes.update', $2, $2, $3, 'boutique', 'none', 'none', true, false, '{}', 'running', now())`,
      job,
      stage.owner.id,
      sites['boutique'],
    );
    await stage.reportTimes(4, sites, { code: 503 });
    expect(await stage.list()).toEqual([]);
    expect((await stage.ask('GET', `/sites/${sites['boutique']}/uptime`)).body).toMatchObject({
      uptime: { day: null },
      beats: [{ state: 'excused' }, { state: 'excused' }, { state: 'excused' }, { state: 'excused' }],
    });
    await stage.query("update sites.jobs set state = 'succeeded', finished_at = now() - interval '3 minutes'");
    await stage.reportTimes(3, sites, { code: 503 });
    expect(await stage.list()).toHaveLength(1);
  });

  it('of a single site is its own again once the others of its server have been well for half an hour', async () => {
    const server = await stage.addServer('web-03');
    const [first, others] = [
      await stage.addSites(['un'], server),
      await stage.addSites(['deux', 'trois', 'quatre'], server),
    ];
    await stage.reportTimes(3, { ...first, ...others });
    for (let at = 0; at < 2; at += 1) {
      await stage.report(first);
      await stage.reportTimes(1, others, { code: 200 });
    }
    await stage.query("update sites.incident_subjects set since = since - interval '1 hour'");
    await stage.query("update sites.conditions set since = since - interval '1 hour'");
    const { deux = '' } = others;
    await stage.reportTimes(3, { ...first, deux });
    expect((await stage.list('?state=open')).map(({ cause }) => cause.name).toSorted()).toEqual(['deux', 'web-03']);
    // Without the server, what still fails has an incident of its own.
    expect((await stage.ask('DELETE', `/servers/${server}?force=1`)).status).toBe(204);
    expect((await stage.list('?state=open')).map(({ cause }) => cause.name)).toEqual(['deux']);
    await stage.report({ ...first, deux });
    expect((await stage.list('?state=open')).map(({ cause }) => cause.name).toSorted()).toEqual(['deux', 'un']);
  });

  it('is no matter of an address that Vigie may not visit, or of a site that is reported twice at once', async () => {
    const sites = await stage.addSites(['boutique']);
    const { boutique = '' } = sites;
    const seen = { code: 0, error: forbiddenAddress, method: 'GET', url: urlOf('boutique'), ms: null };
    const item = { id: boutique, url: urlOf('boutique'), certificate: null };
    for (let at = 0; at < 4; at += 1) {
      const checked = { ...item, seen: { ...seen, checked_at: new Date().toISOString() } };
      await stage.agent.call(reportVisits, { items: [checked, checked], network: null });
      await stage.passMinute();
    }
    expect(await stage.list()).toEqual([]);
    expect((await stage.ask('GET', `/sites/${boutique}/uptime`)).body['beats']).toEqual([]);
  });

  it('ends with its site', async () => {
    const sites = await stage.addSites(['boutique', 'blog']);
    await stage.reportTimes(3, sites);
    expect((await stage.ask('DELETE', `/sites/${sites['blog']}`)).status).toBe(204);
    expect((await stage.query('select from sites.incidents where resolution is null')).rows).toHaveLength(1);
    expect((await stage.query("select from sites.incidents where resolution = 'removed'")).rows).toHaveLength(1);
    expect((await stage.query('select from sites.conditions')).rows).toHaveLength(1);
    expect(await stage.list()).toHaveLength(1);
  });
});

describe('a cut of Vigie’s own network', () => {
  it('is one incident about Vigie and none about the sites', async () => {
    const sites = await stage.addSites(['a', 'b', 'c', 'd']);
    const { a = '', ...others } = sites;
    await stage.reportTimes(3, { a }, { code: 0, network: 'up' });
    await stage.report(others, { code: 200 });
    expect(await stage.list()).toHaveLength(1);
    // The first visits fail before it is known that all do.
    await stage.reportTimes(6, sites, { code: 0, network: 'down' });
    expect(await stage.list()).toHaveLength(1);
    expect(await stage.list('?state=open', stage.admin)).toMatchObject([
      { kind: 'network', cause: { kind: 'vigie', id: null, name: 'Vigie' }, severity: 'critical' },
    ]);
    const { rows } = await stage.query<{ state: number }>(
      'select distinct state from sites.visit_samples where site_id = $1 and code = 0',
      others['b'],
    );
    expect(rows).toEqual([{ state: 3 }]);
    await stage.reportTimes(2, sites, { code: 200, network: 'up' });
    expect(await stage.list('?state=open', stage.admin)).toEqual([]);
    expect(await stage.list('?state=open')).toEqual([]);
  });

  it('is not supposed because of one site, of agents that reach others, or where no canary ever answered', async () => {
    const sites = await stage.addSites(['a', 'b', 'c', 'd']);
    const { a = '', ...others } = sites;
    await stage.reportTimes(2, others, { code: 200, network: 'up' });
    await stage.query("update sites.network_state set up_at = now() - interval '10 minutes'");
    await stage.reportTimes(3, { a }, { code: 0, network: 'down' });
    expect(await stage.list()).toHaveLength(1);
    await stage.reportTimes(3, sites, { code: 0, network: 'up' });
    expect(await stage.list()).toHaveLength(4);
    await stage.empty('incidents', 'conditions', 'network_state');
    await stage.reportTimes(3, { a }, { code: 0, network: 'down' });
    expect(await stage.list()).toHaveLength(1);
  });

  it('of one agent alone makes its own checks doubtful', async () => {
    const sites = await stage.addSites(['a', 'b', 'c', 'd']);
    const { a = '', ...others } = sites;
    for (let at = 0; at < 4; at += 1) {
      await stage.report(others, { code: 200, network: 'up' });
      await stage.report({ a }, { code: 0, network: 'down' });
      await stage.passMinute();
    }
    expect(await stage.list()).toEqual([]);
    expect((await stage.ask('GET', `/sites/${a}/uptime`)).body).toMatchObject({ uptime: { day: null } });
  });
});

describe('a certificate that ends soon', () => {
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

  it('is a warning until it is renewed', async () => {
    const sites = await stage.addSites(['boutique']);
    await stage.reportTimes(2, sites, { code: 200, endsAt: inDays(22) });
    expect(await stage.list()).toEqual([]);
    await stage.report(sites, { code: 200, endsAt: inDays(20.5) });
    expect(await stage.only()).toMatchObject({
      kind: 'certificate',
      severity: 'warning',
      evidence: { code: null, reason: 'R11', ends_at: expect.stringMatching(/^\d{4}-/) },
    });
    await stage.reportTimes(2, sites, { code: 200, endsAt: inDays(89) });
    expect(await stage.list('?state=open')).toEqual([]);
  });

  it('of a few days is one once two thirds of them are over', async () => {
    const sites = await stage.addSites(['boutique']);
    await stage.reportTimes(2, sites, { code: 200, startsAt: inDays(-3), endsAt: inDays(3) });
    expect(await stage.list()).toEqual([]);
    await stage.reportTimes(1, sites, { code: 200, startsAt: inDays(-5), endsAt: inDays(1) });
    expect(await stage.list()).toHaveLength(1);
  });
});

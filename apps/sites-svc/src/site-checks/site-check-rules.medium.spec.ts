import { claimVisits, reportVisits } from '@vigie/contracts/site-checks';
import type { ContentFinding, ShownContent } from '@vigie/contracts/site-check-rules';
import { IncidentStage, urlOf } from '@vigie/testing/incidents';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { timesOf } from '../maintenance-windows/window-times';

let stage: IncidentStage;
let sites: Readonly<Record<string, string>>;
let id: string;
beforeAll(async () => {
  stage = await IncidentStage.open();
});
afterAll(() => stage?.close());
beforeEach(async () => {
  await stage.empty();
  sites = await stage.addSites(['boutique']);
  id = sites['boutique'] ?? '';
});

const text = { expected_text: 'Bienvenue à bord', redirects_to: null };
const save = (rules: object, person = stage.owner) => stage.ask('PUT', `/sites/${id}/checks`, rules, person);
const rulesNow = async (person = stage.owner) =>
  (await stage.ask('GET', `/sites/${id}/checks`, undefined, person)).body;

/** Reports what a visitor saw by these rules, each minute. */
async function reportFound(
  times: number,
  found: ContentFinding,
  rules: ShownContent = text,
  url = urlOf('boutique'),
  network: 'down' | null = null,
) {
  for (let at = 0; at < times; at += 1) {
    const seen = { code: 200, error: null, method: 'GET', ms: 90, url, checked_at: new Date().toISOString() };
    const item = { id, url: urlOf('boutique'), seen, certificate: null, content: { ...rules, found } };
    await stage.agent.call(reportVisits, { items: [item], network });
    await stage.passMinute();
  }
}

async function group(fields: object, parent: string | null = null): Promise<string> {
  const { body } = await stage.ask('POST', '/groups', { name: 'clients', parent_id: parent, ...fields });
  return String(body['id']);
}
const put = (groups: string[]) => stage.ask('PUT', `/sites/${id}`, { groups });

describe('what a site must show', () => {
  it('goes to the agents, and is an incident while it is missing, which is no outage', async () => {
    expect(await rulesNow()).toEqual({ expected_text: null, redirects_to: null, found: null });
    expect((await save(text)).body).toEqual({ ...text, found: null });
    expect((await stage.agent.call(claimVisits, { ids: [id] })).items).toMatchObject([{ id, expected: text }]);
    await reportFound(2, 'text_missing');
    expect(await stage.list()).toEqual([]);
    await reportFound(1, 'text_missing');
    const open = await stage.only('?state=open');
    expect(open).toMatchObject({
      kind: 'content',
      severity: 'critical',
      cause: { kind: 'site', id },
      evidence: { code: 200, reason: 'Le texte «\u00a0Bienvenue à bord\u00a0» n’y est plus.' },
    });
    expect(await rulesNow()).toEqual({ ...text, found: 'text_missing' });
    expect((await stage.ask('GET', `/sites/${id}/uptime`)).body).toMatchObject({ uptime: { day: 100 } });
    await reportFound(2, 'as_expected');
    expect(await stage.only()).toMatchObject({ id: open.id, resolution: 'recovered' });
    expect((await rulesNow())['found']).toBe('as_expected');
    // A site that does not answer shows nothing.
    await stage.report(sites, { code: 503 });
    expect((await rulesNow())['found']).toBeNull();
  });

  it('is nothing that an agent can tell whose own network is cut', async () => {
    await save(text);
    await stage.report(sites, { code: 200, network: 'up' });
    for (let at = 0; at < 4; at += 1) {
      await reportFound(1, 'text_missing', text, urlOf('boutique'), 'down');
    }
    expect(await stage.list()).toEqual([]);
  });

  it('counts by the rules of now, and ends with them', async () => {
    const target = { expected_text: null, redirects_to: 'https://phare.fr/accueil' };
    await save(text);
    await reportFound(2, 'text_missing');
    await save(target);
    await reportFound(3, 'text_missing');
    expect((await rulesNow())['found']).toBeNull();
    await reportFound(2, 'other_redirect', target, 'https://casino.example/jeu?jeton=secret');
    expect(await stage.list()).toEqual([]);
    await reportFound(1, 'other_redirect', target, 'https://casino.example/jeu?jeton=secret');
    const sentence = 'L’adresse mène à https://casino.example/jeu, au lieu de https://phare.fr/accueil.';
    expect(await stage.only()).toMatchObject({ evidence: { reason: sentence } });
    await save({ ...target, redirects_to: 'https://phare.fr/menu' });
    expect(await stage.only()).toMatchObject({ state: 'resolved', resolution: 'closed' });
    await save({ expected_text: '  ', redirects_to: '' });
    expect((await stage.query('select from sites.conditions')).rows).toEqual([]);
    await reportFound(3, 'other_redirect', target);
    expect(await stage.list('?state=open')).toEqual([]);
  });

  it('is refused where it is no line or no address, and is nobody else’s matter', async () => {
    for (const rules of [
      { expected_text: 'a\nb', redirects_to: null },
      { expected_text: 'x'.repeat(201), redirects_to: null },
      { expected_text: null, redirects_to: 'ftp://phare.fr' },
    ])
      expect((await save(rules)).status).toBe(400);
    expect((await save(text, stage.guest)).status).toBe(404);
    expect((await stage.ask('GET', `/sites/${id}/checks`, undefined, stage.guest)).status).toBe(404);
  });
});

describe('a maintenance', () => {
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  const create = (fields: object, person = stage.owner) => stage.ask('POST', '/maintenance-windows', fields, person);
  const list = async (search: string, person = stage.owner) =>
    (await stage.ask('GET', `/maintenance-windows${search}`, undefined, person)).body;

  it('of a group above excuses failed checks while it runs, and nothing after', async () => {
    const top = await group({});
    await put([await group({ name: 'sous' }, top)]);
    const { status, body } = await create({ group_id: top, ends_at: inMinutes(60), note: 'Déménagement' });
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({ group_id: top, target_name: 'clients', note: 'Déménagement', can_delete: true }),
    ]);
    expect(body['running_until']).toBe(body['ends_at']);
    await save(text);
    await stage.reportTimes(4, sites, { code: 503 });
    await reportFound(4, 'text_missing');
    expect(await stage.list()).toEqual([]);
    expect((await stage.ask('GET', `/sites/${id}/uptime`)).body).toMatchObject({
      uptime: { day: 100 },
      maintenance_until: body['ends_at'],
    });
    expect(await list(`?site_id=${id}`)).toMatchObject({ total: 1, items: [{ id: body['id'] }] });
    expect((await stage.ask('DELETE', `/maintenance-windows/${String(body['id'])}`)).status).toBe(204);
    expect(await list('')).toEqual({ items: [], total: 0 });
    await stage.reportTimes(3, sites, { code: 503 });
    expect(await stage.list()).toHaveLength(1);
  });

  it('of each week runs at its time of day, whatever the clock does', async () => {
    const timesAt = async (moment: string, at: string, minutes: number) => {
      const { rows } = await stage.query<{ starts_at: Date; ends_at: Date }>(
        `select t.* from (select null::timestamptz as starts_at, null::timestamptz as ends_at, array[7] as weekdays,
           $2::time as at, $3::int as minutes, 'Europe/Paris' as time_zone) w
         cross join lateral ${timesOf('w', '$1::timestamptz')} t where t.ends_at > $1::timestamptz order by 1 limit 1`,
        moment,
        at,
        minutes,
      );
      return [rows[0]?.starts_at.toISOString(), rows[0]?.ends_at.toISOString()];
    };
    // The clock goes from 2:00 to 3:00 on 29 March 2026, and from 3:00 to 2:00 on 25 October.
    expect(await timesAt('2026-03-28T12:00:00Z', '02:30', 60)).toEqual([
      '2026-03-29T01:30:00.000Z',
      '2026-03-29T02:30:00.000Z',
    ]);
    expect(await timesAt('2026-03-29T06:00:00Z', '01:00', 60)).toEqual([
      '2026-04-04T23:00:00.000Z',
      '2026-04-05T00:00:00.000Z',
    ]);
    expect(await timesAt('2026-10-25T01:30:00Z', '01:00', 180)).toEqual([
      '2026-10-24T23:00:00.000Z',
      '2026-10-25T02:00:00.000Z',
    ]);
    // One that began the day before runs on after midnight.
    expect((await timesAt('2026-06-07T23:00:00Z', '23:00', 240))[0]).toBe('2026-06-07T21:00:00.000Z');
  });

  it('has a beginning and an end, or days of the week, and is nobody else’s matter', async () => {
    const weekly = { weekdays: [7, 1, 7], at: '03:00', minutes: 30 };
    const { body, status } = await create({ site_id: id, ...weekly });
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({ ...weekly, weekdays: [1, 7], time_zone: 'Europe/Paris', starts_at: null }),
    ]);
    expect(Date.parse(String(body['next_at']))).toBeGreaterThan(Date.now());
    for (const fields of [
      {},
      weekly,
      { site_id: id },
      { site_id: id, ends_at: inMinutes(-1) },
      { site_id: id, ends_at: inMinutes(31 * 1_440) },
      { site_id: id, starts_at: inMinutes(9), ends_at: inMinutes(8) },
      { site_id: id, ends_at: inMinutes(8), ...weekly },
      { site_id: id, ...weekly, weekdays: [] },
      { site_id: id, ...weekly, time_zone: 'Mars/Olympe' },
      // One that Node knows and PostgreSQL does not.
      { site_id: id, ...weekly, time_zone: 'CTT' },
    ])
      expect((await create(fields)).status).toBe(400);
    expect((await create({ site_id: id, ends_at: inMinutes(5) }, stage.guest)).status).toBe(404);
    expect(
      (await stage.ask('DELETE', `/maintenance-windows/${String(body['id'])}`, undefined, stage.guest)).status,
    ).toBe(404);
    expect(await list('', stage.guest)).toEqual({ items: [], total: 0 });
    expect((await stage.ask('GET', `/maintenance-windows?site_id=${id}`, undefined, stage.guest)).status).toBe(404);
  });
});

describe('a maintenance of a group that the caller does not see', () => {
  const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

  it('is known to hold for a shared site, but not of what, why and by whose decision', async () => {
    const top = await group({ name: 'Durand SA' });
    await put([top]);
    await stage.ask('POST', '/maintenance-windows', {
      group_id: top,
      ends_at: inAnHour(),
      note: 'Tous les sites Durand',
    });
    await stage.ask('POST', '/grants', { site_id: id, user_id: stage.guest.id, role: 'manager' });
    const { body } = await stage.ask('GET', `/maintenance-windows?site_id=${id}`, undefined, stage.guest);
    expect(body).toMatchObject({
      total: 1,
      items: [{ site_id: null, group_id: null, target_name: null, note: null, created_by: null, can_delete: false }],
    });
    expect((await stage.ask('GET', '/maintenance-windows', undefined, stage.guest)).body).toMatchObject({ total: 0 });
    const [{ id: windowId }] = (body as unknown as { items: [{ id: string }] }).items;
    expect((await stage.ask('DELETE', `/maintenance-windows/${windowId}`, undefined, stage.guest)).status).toBe(404);
  });

  it('is one of fifty at most', async () => {
    await stage.query(
      `insert into sites.maintenance_windows (id, site_id, starts_at, ends_at, created_by)
       select gen_random_uuid(), $1, now(), now() + interval '1 hour', 'x' from generate_series(1, 50)`,
      id,
    );
    const { status, body } = await stage.ask('POST', '/maintenance-windows', { site_id: id, ends_at: inAnHour() });
    expect([status, body]).toEqual([400, { detail: expect.stringContaining('50\u00a0maintenances') }]);
  });
});

describe('the interval of a group', () => {
  const interval = async () => (await stage.ask('GET', `/sites/${id}/uptime`)).body['interval_seconds'];

  it('holds for its sites, and the nearest one that says something decides', async () => {
    const usual = await interval();
    const top = await group({ visit_minutes: 60 });
    const below = await group({ name: 'sous' }, top);
    const beside = await group({ name: 'à côté', visit_minutes: 5 }, top);
    const edit = (minutes: number | null) => stage.ask('PUT', `/groups/${below}`, { visit_minutes: minutes });
    await put([below]);
    expect([usual === 3_600, await interval()]).toEqual([false, 3_600]);
    expect((await edit(15)).body).toMatchObject({ visit_minutes: 15 });
    expect(await interval()).toBe(900);
    // Of two groups that are as near the one decides that visits most often.
    await put([top, below]);
    expect(await interval()).toBe(900);
    await put([below, beside]);
    expect(await interval()).toBe(300);
    await put([below]);
    await edit(null);
    expect(await interval()).toBe(3_600);
    await put([]);
    expect(await interval()).toBe(usual);
    expect((await edit(7)).status).toBe(400);
  });

  it('does not make a cut of our own network an outage of sites that are visited rarely', async () => {
    await put([await group({ visit_minutes: 60 })]);
    await stage.report(sites, { code: 200, network: 'up' });
    await stage.query("update sites.visit_samples set at = at - interval '10 minutes'");
    await stage.query("update sites.network_state set up_at = up_at - interval '10 minutes'");
    await stage.reportTimes(4, sites, { code: 0, network: 'down' });
    expect(await stage.list()).toEqual([]);
    expect(await stage.list('', stage.admin)).toMatchObject([{ kind: 'network' }]);
  });

  it('is the owner’s to change', async () => {
    const top = await group({});
    const manager = { group_id: top, user_id: stage.guest.id, role: 'manager' };
    expect((await stage.ask('POST', '/grants', manager)).status).toBe(201);
    const edit = (fields: object) => stage.ask('PUT', `/groups/${top}`, fields, stage.guest);
    expect((await edit({ visit_minutes: 5 })).status).toBe(403);
    expect((await edit({ name: 'autre', visit_minutes: null })).status).toBe(200);
  });
});

import type { PublicStatus } from '@vigie/contracts/status-pages';
import { dumpTables } from '@vigie/testing/dump';
import { IncidentStage, type NamedSites } from '@vigie/testing/incidents';
import { addToken } from '@vigie/testing/people';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

let stage: IncidentStage;
beforeAll(async () => {
  stage = await IncidentStage.open();
});
afterAll(() => stage?.close());
beforeEach(() => stage.empty());

const gone = { detail: 'Cette page n’existe pas ou n’est plus publiée.' };
const view = (secret: string) => stage.product.request('GET', `/api/etat/${encodeURIComponent(secret)}`);
const statusOf = async (secret: string) => (await view(secret)).body as unknown as PublicStatus;
const pathOf = (group: string) => `/groups/${group}/status-page`;

async function addGroup(name: string, sites: readonly (string | undefined)[], parent: string | null = null) {
  const { body } = await stage.ask('POST', '/groups', { name, parent_id: parent });
  await stage.query(
    'insert into sites.site_groups (site_id, group_id) select s, $2 from unnest($1::uuid[]) s',
    sites,
    body['id'],
  );
  return String(body['id']);
}

/** A new page each time, so that nothing of it is known from a moment ago. */
async function publish(group: string, { shows = true, by = stage.owner } = {}): Promise<string> {
  await stage.ask('DELETE', pathOf(group), undefined, by);
  const { body, text } = await stage.ask('PUT', pathOf(group), { title: 'Nos sites', shows_incidents: shows }, by);
  if (typeof body['secret'] !== 'string') throw new Error(text);
  return body['secret'];
}

/** Names everything that is Vigie's own after a canary. */
async function nameAfterCanaries(sites: NamedSites): Promise<void> {
  for (const id of Object.values(sites))
    await stage.query(
      "update sites.sites set name = 'canari-site', wp_path = '/srv/canari', url = rtrim(url, '/') where id = $1",
      id,
    );
}

describe('a public page', () => {
  it('tells of the sites of its group and of those below by their hosts, and of nothing that is Vigie’s own', async () => {
    const server = await stage.addServer('canari-serveur');
    const sites = await stage.addSites(['boutique', 'blog', 'ailleurs'], server);
    const group = await addGroup('canari-groupe', [sites['boutique']]);
    await addGroup('canari-dessous', [sites['blog'], sites['boutique']], group);
    await stage.query(
      `insert into sites.visit_days (site_id, at, ups, downs, others, histogram)
       select $1, date_trunc('day', now() - n * interval '1 day', 'UTC'), 9, 1, 10, array_fill(0, array[15]) from unnest(array[1, 89, 90]) n`,
      sites['boutique'],
    );
    await stage.reportTimes(3, { boutique: sites['boutique'] ?? '' });
    const { blog = '' } = sites;
    await stage.report({ blog }, { code: 200 });
    await nameAfterCanaries(sites);
    await stage.query("update sites.incidents set cause_name = 'canari-cause'");
    await stage.query("update sites.incident_subjects set name = 'canari-site'");
    const { text } = await view(await publish(group));
    const status: PublicStatus = JSON.parse(text);
    expect(status).toMatchObject({
      title: 'Nos sites',
      state: 'down',
      is_cut: false,
      counts: { up: 1, down: 1, maintenance: 0, unknown: 0 },
      sites: [
        { name: 'blog.invalid', state: 'up', uptime: { day: 100, month: 100, quarter: 100 } },
        { name: 'boutique.invalid', state: 'down', uptime: { day: 0 } },
      ],
      outages: [{ sites: ['boutique.invalid'], to: null }],
    });
    const days = status.sites[1]?.days ?? [];
    expect([days.length, days[0], days[1], days.at(-2), days.at(-1)]).toEqual([90, 90, null, 90, 0]);
    expect(text).not.toMatch(/canari|ailleurs|Anne|Goff|localhost|[0-9a-f]{8}-[0-9a-f]{4}/);
  });

  it('never takes for an outage what Vigie is not sure of, nor what it does itself', async () => {
    const sites = await stage.addSites(['boutique', 'blog']);
    const group = await addGroup('clients', Object.values(sites));
    expect(await statusOf(await publish(group))).toMatchObject({
      state: 'unknown',
      counts: { unknown: 2 },
      outages: [],
    });
    await stage.report(sites);
    // One failed check is no outage yet.
    expect(await statusOf(await publish(group))).toMatchObject({ state: 'up', counts: { up: 2 }, outages: [] });
    await stage.query('update sites.visit_samples set state = 3 where site_id = $1', sites['blog']);
    await stage.query('update sites.visit_samples set state = 2 where site_id = $1', sites['boutique']);
    expect(await statusOf(await publish(group))).toMatchObject({
      state: 'unknown',
      counts: { up: 0, down: 0, maintenance: 1, unknown: 1 },
      sites: [{ uptime: { day: null } }, { uptime: { day: null } }],
    });
    await stage.query(
      `insert into sites.incidents (id, kind, severity, cause_kind, cause_id, cause_name, observed_at)
       values (gen_random_uuid(), 'network', 'critical', 'vigie', '00000000-0000-0000-0000-000000000000', 'Vigie', now())`,
    );
    expect(await statusOf(await publish(group))).toMatchObject({ is_cut: true, counts: { unknown: 2 } });
  });

  it('shows 200 sites, and the state of all of them', async () => {
    const names = Array.from({ length: 201 }, (_, at) => `s${at}`);
    const sites = await stage.addSites(names);
    const group = await addGroup('clients', Object.values(sites));
    await stage.reportTimes(3, { s200: sites['s200'] ?? '' });
    await stage.query('update sites.sites set url = $2 where id = $1', sites['s200'], 'https://zzz.invalid');
    const status = await statusOf(await publish(group));
    expect([status.sites.length, status.state, status.counts.down, status.outages]).toEqual([200, 'down', 1, []]);
    expect(status.sites.slice(0, 3).map(({ name }) => name)).toEqual(['s0.invalid', 's1.invalid', 's2.invalid']);
  });
});

describe('the secret of a page', () => {
  it('is shown once, and opens nothing once it was renewed or the page was withdrawn', async () => {
    const group = await addGroup('clients', []);
    expect((await stage.ask('GET', pathOf(group))).body).toEqual({ page: null });
    expect((await stage.ask('POST', `${pathOf(group)}/renew`)).status).toBe(404);
    const first = await publish(group);
    expect(first).toMatch(/^[\w-]{43}$/);
    expect((await view(first)).status).toBe(200);
    const edited = await stage.ask('PUT', pathOf(group), { title: ' Vos sites ', shows_incidents: false });
    expect(edited.body).toMatchObject({ page: { title: 'Vos sites', created_by: 'Anne Le Goff' }, secret: null });
    // An edit holds at once, although what the page says of sites is half a minute old.
    expect(await statusOf(first)).toMatchObject({ title: 'Vos sites', outages: null });
    const second = String((await stage.ask('POST', `${pathOf(group)}/renew`)).body['secret']);
    expect([(await view(first)).body, (await view(second)).status]).toEqual([gone, 200]);
    expect((await stage.ask('DELETE', pathOf(group))).status).toBe(204);
    for (const secret of [second, 'x', 'é\0/..', 'A'.repeat(500)]) {
      const { status, body } = await view(secret);
      expect([status, body]).toEqual([404, gone]);
    }
  });

  it('ends with the group, and with the right of its owner', async () => {
    const group = await addGroup('clients', []);
    const secret = await publish(group);
    const admin = { 'x-admin-mode': '1' };
    const body = { user_id: stage.guest.id };
    const { token } = stage.admin;
    expect(
      (await stage.product.request('PUT', `/api/groups/${group}/owner`, { token, headers: admin, body })).status,
    ).toBe(200);
    expect((await view(secret)).body).toEqual(gone);
    const other = await publish(group, { by: stage.guest });
    await stage.ask('DELETE', `/groups/${group}`, undefined, stage.guest);
    expect((await view(other)).body).toEqual(gone);
  });

  it('is given to no token and to nobody with whom the group is shared', async () => {
    const group = await addGroup('clients', []);
    await stage.ask('POST', '/grants', { group_id: group, user_id: stage.guest.id, role: 'manager' });
    const body = { title: 'Nos sites', shows_incidents: true };
    const token = await addToken(stage.product, stage.owner.token, 'read', 'update');
    for (const person of [stage.guest, { id: '', token }]) {
      expect((await stage.ask('PUT', pathOf(group), body, person)).status).toBe(403);
      expect((await stage.ask('POST', `${pathOf(group)}/renew`, undefined, person)).status).toBe(403);
    }
  });

  it('stands in no log, table or header', async () => {
    const group = await addGroup('clients', []);
    const first = await publish(group);
    const secret = String((await stage.ask('POST', `${pathOf(group)}/renew`)).body['secret']);
    const answers = [await view(first), await view(secret)];
    for (const { headers } of answers) {
      expect(headers.get('x-robots-tag')).toBe('noindex, nofollow');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    }
    const tables = [...(await dumpTables(stage.product.database)).values()].join('\n');
    const logs = stage.product.processes.map(({ process }) => process.output).join('\n');
    expect(logs).toContain('/api/etat/:secret');
    for (const each of [first, secret]) expect([logs.includes(each), tables.includes(each)]).toEqual([false, false]);
    const { rows } = await stage.query<{ action: string }>(
      'select action from sites.audit_lines where target_id = $1 order by at',
      group,
    );
    expect(rows.map(({ action }) => action)).toEqual(['group_create', 'status_page_create', 'status_page_renew']);
  });
});

import { IncidentStage, type NamedSites } from '@vigie/testing/incidents';
import type { Uptime } from '@vigie/contracts/uptime';
import { until } from '@vigie/testing/until';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

let stage: IncidentStage;
beforeAll(async () => {
  stage = await IncidentStage.open();
});
afterAll(() => stage?.close());
beforeEach(() => stage.empty());

/** Who waits for what the transaction of the test holds. */
const waiting = 'select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))';
const [old, moved, elsewhere] = [['192.0.2.1'], ['198.51.100.7'], ['198.51.100.8']];

/** Sites whose addresses have been known for days. */
async function addSettled(names: string[], server: string | null = null): Promise<NamedSites> {
  const sites = await stage.addSites(names, server);
  await stage.query("update sites.sites set wp_version = '6.8'");
  await stage.report(sites, { code: 200, addresses: old });
  await stage.query("update sites.site_addresses set learned_at = now() - interval '3 days'");
  return sites;
}

const addressesOf = async (id: string | undefined) =>
  ((await stage.ask('GET', `/sites/${id}/uptime`)).body as unknown as Uptime).addresses;

describe('the address of a site', () => {
  it('that changes is shown, and an incident after three visits, until it returns', async () => {
    const sites = await addSettled(['boutique']);
    await stage.reportTimes(2, sites, { code: 200, addresses: moved });
    expect(await stage.list()).toEqual([]);
    expect(await addressesOf(sites['boutique'])).toEqual({
      current: moved,
      previous: old,
      changed_at: expect.any(String),
    });
    await stage.reportTimes(1, sites, { code: 200, addresses: moved });
    const open = await stage.only();
    expect(open).toMatchObject({
      kind: 'dns',
      severity: 'info',
      cause: { kind: 'site', name: 'boutique' },
      evidence: {
        code: null,
        reason: 'boutique.invalid pointait vers 192.0.2.1, et pointe maintenant vers 198.51.100.7.',
      },
    });
    await stage.reportTimes(2, sites, { code: 200, addresses: old });
    expect(await stage.only('?state=resolved')).toMatchObject({ id: open.id, resolution: 'recovered' });
  });

  it('is right once somebody has closed the incident, and no other one is', async () => {
    const sites = await addSettled(['boutique']);
    await stage.reportTimes(3, sites, { code: 200, addresses: moved });
    await stage.ask('POST', `/incidents/${(await stage.only()).id}/resolve`, {});
    await stage.reportTimes(4, sites, { code: 200, addresses: moved });
    expect(await stage.list('?state=open')).toEqual([]);
    await stage.query("update sites.incidents set resolved_at = now() - interval '1 hour'");
    await stage.query("update sites.site_addresses set learned_at = now() - interval '3 days'");
    await stage.reportTimes(3, sites, { code: 200, addresses: old });
    expect(await stage.list('?state=open')).toHaveLength(1);
  });

  it('stays accepted, whatever a visit stores that had read what was right before', async () => {
    const sites = await addSettled(['boutique']);
    await stage.reportTimes(3, sites, { code: 200, addresses: moved });
    await stage.query('begin');
    await stage.query('update sites.site_addresses set known = current, is_accepted = true, learned_at = now()');
    const reported = stage.report(sites, { code: 200, addresses: elsewhere });
    await until(async () => (await stage.query(waiting)).rows.length > 0);
    await stage.query('commit');
    await reported;
    const { rows } = await stage.query('select known, is_accepted from sites.site_addresses');
    expect(rows).toEqual([{ known: moved, is_accepted: true }]);
  });

  it('is accepted by nobody who holds up all incidents while the site is being deleted', async () => {
    const sites = await addSettled(['boutique']);
    await stage.reportTimes(3, sites, { code: 200, addresses: moved });
    const { id } = await stage.only();
    await stage.query('begin');
    await stage.query('select from sites.sites for update');
    await stage.query('select from sites.site_addresses for update');
    const closed = stage.ask('POST', `/incidents/${id}/resolve`, {});
    await until(async () => (await stage.query(waiting)).rows.length > 0);
    const held = await stage.query(`select from pg_locks where locktype = 'advisory' and granted and pid in (
      select pid from pg_locks where not granted)`);
    await stage.query('commit');
    expect([held.rows.length, (await closed).status]).toEqual([0, 200]);
  });

  it('that is gone is an outage and no more', async () => {
    const sites = await addSettled(['boutique']);
    await stage.reportTimes(3, sites, { code: 0, addresses: [] });
    expect(await stage.only()).toMatchObject({ kind: 'outage' });
    expect(await addressesOf(sites['boutique'])).toMatchObject({ current: old });
  });

  it('that changes in a maintenance is no incident', async () => {
    const sites = await addSettled(['boutique']);
    const ends = new Date(Date.now() + 3_600_000).toISOString();
    await stage.ask('POST', '/maintenance-windows', { site_id: sites['boutique'], ends_at: ends });
    await stage.reportTimes(4, sites, { code: 200, addresses: moved });
    expect(await stage.list()).toEqual([]);
  });

  it('says nothing before it was known, where nobody looked it up, or while Vigie is cut off', async () => {
    const sites = await stage.addSites(['nouveau']);
    await stage.reportTimes(3, sites, { code: 404, addresses: [] });
    expect(await addressesOf(sites['nouveau'])).toBeNull();
    const settled = await addSettled(['boutique']);
    await stage.reportTimes(3, settled, { code: 200 });
    await stage.query(
      'insert into sites.network_state (up_at) values (now()) on conflict (id) do update set up_at = now()',
    );
    await stage.reportTimes(3, settled, { code: 200, addresses: moved, network: 'down' });
    expect(await stage.list()).toEqual([]);
  });

  it('of several sites of a server is one incident of the server', async () => {
    const server = await stage.addServer('web-03');
    const sites = await addSettled(['un', 'deux', 'trois'], server);
    const { un = '', ...others } = sites;
    await stage.reportTimes(3, { un }, { code: 200, addresses: moved });
    expect((await stage.only()).cause).toMatchObject({ kind: 'site', name: 'un' });
    await stage.reportTimes(3, sites, { code: 200, addresses: moved });
    const open = await stage.only('?state=open');
    expect(open).toMatchObject({ kind: 'dns', cause: { kind: 'server', name: 'web-03' }, sites: 3, failing: 3 });
    expect((await stage.only('?state=resolved')).merged_into).toBe(open.id);
    await stage.ask('POST', `/incidents/${open.id}/resolve`, {});
    // One that comes to where the others were accepted is at home there; one that goes elsewhere is not.
    const late = await stage.addSites(['quatre'], server);
    await stage.query("update sites.sites set wp_version = '6.8'");
    await stage.report(late, { code: 200, addresses: old });
    const learned = "update sites.site_addresses set learned_at = now() - interval '3 days' where site_id = $1";
    await stage.query(learned, late['quatre']);
    await stage.reportTimes(3, { ...late, ...others }, { code: 200, addresses: moved });
    expect(await stage.list('?state=open')).toEqual([]);
    await stage.reportTimes(3, late, { code: 200, addresses: elsewhere });
    expect((await stage.only('?state=open')).cause).toMatchObject({ kind: 'site', name: 'quatre' });
  });

  it('is not right because a neighbour has only just learned it', async () => {
    const server = await stage.addServer('web-03');
    const sites = await addSettled(['un'], server);
    const late = await stage.addSites(['deux'], server);
    await stage.query("update sites.sites set wp_version = '6.8'");
    await stage.report(late, { code: 200, addresses: moved });
    await stage.reportTimes(3, sites, { code: 200, addresses: moved });
    expect((await stage.only()).cause).toMatchObject({ kind: 'site', name: 'un' });
  });

  it('of another name has nothing to do with that of the former one', async () => {
    const sites = await addSettled(['boutique']);
    await stage.reportTimes(3, sites, { code: 200, addresses: moved });
    await stage.query("update sites.sites set url = 'https://vitrine.invalid/'");
    await stage.report({ vitrine: sites['boutique'] ?? '' }, { code: 200, addresses: moved });
    expect(await stage.only()).toMatchObject({ kind: 'dns', state: 'resolved', resolution: 'removed' });
    expect(await addressesOf(sites['boutique'])).toMatchObject({ current: moved, previous: [], changed_at: null });
  });

  it('is of no interest where the address of the site has no name any more', async () => {
    const sites = await addSettled(['boutique']);
    await stage.reportTimes(3, sites, { code: 200, addresses: moved });
    await stage.query("update sites.sites set url = 'https://vitrine.invalid/'");
    await stage.report({ vitrine: sites['boutique'] ?? '' }, { code: 200 });
    expect(await stage.only()).toMatchObject({ kind: 'dns', state: 'resolved', resolution: 'removed' });
  });
});

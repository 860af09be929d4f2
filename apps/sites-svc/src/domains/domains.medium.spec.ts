import type { SiteDomain } from '@vigie/contracts/domains';
import { IncidentStage } from '@vigie/testing/incidents';
import { aDomain, FakeRegistry } from '@vigie/testing/registry';
import { until } from '@vigie/testing/until';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

let stage: IncidentStage;
let registry: FakeRegistry;
beforeAll(async () => {
  registry = await FakeRegistry.start();
  stage = await IncidentStage.openWith({ VIGIE_RDAP_URL: registry.listUrl, VIGIE_HTTP_ALLOW: '127.0.0.0/8' });
});
afterAll(async () => {
  await stage?.close();
  await registry?.close();
});
beforeEach(async () => {
  registry.questions.length = 0;
  await stage.empty('incidents', 'conditions', 'sites', 'domains');
});

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const countQuestions = (name: string) => registry.questions.filter((question) => question === name).length;

async function addSite(name: string, url: string, person = stage.owner): Promise<string> {
  const { [name]: id = '' } = await stage.addSites([name]);
  await stage.query('update sites.sites set url = $2, owner_id = $3 where id = $1', id, url, person.id);
  return id;
}

const domainOf = async (id: string, person = stage.owner) =>
  ((await stage.ask('GET', `/sites/${id}/uptime`, undefined, person)).body as { domain: SiteDomain | null }).domain;

/** Waits until the domain of the site was asked for since then. */
async function untilRead(id: string, since = 0): Promise<SiteDomain> {
  let domain: SiteDomain | null = null;
  await until(async () => {
    domain = await domainOf(id);
    return Date.parse(domain?.checked_at ?? '') > since;
  });
  return domain as unknown as SiteDomain;
}

/** As after a day. */
const readAgain = async (id: string) => {
  const { rows } = await stage.query<{ now: Date }>(
    'with due as (update sites.domains set next_at = now()) select now() as now',
  );
  return untilRead(id, rows[0]?.now.getTime());
};

it('asks once for all sites of a domain, and opens one incident for each owner a month before its end', async () => {
  registry.register('boutique.fr', inDays(29.5));
  const shop = await addSite('boutique', 'https://www.boutique.fr/');
  const blog = await addSite('blog', 'https://blog.boutique.fr/');
  expect(await untilRead(shop)).toMatchObject({ name: 'boutique.fr', state: 'known', registrar: 'OVH', error: null });
  await until(async () => (await stage.list()).length > 0);
  const open = await stage.only();
  expect(open).toMatchObject({
    kind: 'domain',
    severity: 'warning',
    state: 'open',
    cause: { kind: 'domain', id: null, name: 'boutique.fr' },
    evidence: { code: null, reason: 'OVH' },
    sites: 2,
    can_act: true,
  });
  // A site that comes later is told what is known, without another question.
  const shared = await addSite('boutique-en', 'https://en.boutique.fr/', stage.guest);
  await until(async () => (await stage.list('', stage.guest)).length > 0);
  // Of another owner, who has nothing to do with the incident of the first.
  const theirs = await stage.only('', stage.guest);
  expect(theirs).toMatchObject({ cause: { name: 'boutique.fr' }, sites: 1, can_act: true });
  expect(theirs.id).not.toBe(open.id);
  expect(await stage.only()).toMatchObject({ id: open.id, sites: 2, can_act: true });
  expect((await domainOf(shared, stage.guest))?.checked_at).not.toBeNull();
  expect(countQuestions('boutique.fr')).toBe(1);
  // Who moves to another domain leaves the incident, which is no renewal.
  await stage.query("update sites.sites set url = 'https://blog.exemple.zz/' where id = $1", blog);
  await until(async () => (await stage.only()).failing === 1);
  registry.register('boutique.fr', inDays(390));
  await readAgain(shop);
  expect(await stage.list('?state=open')).toEqual([]);
  expect(await stage.only('?state=resolved')).toMatchObject({ id: open.id, resolution: 'recovered' });
  expect(countQuestions('boutique.fr')).toBe(2);
});

it('does not know every domain, and keeps what it knew when the registry fails', async () => {
  const [unknown, none] = [await addSite('a', 'https://exemple.museum/'), await addSite('b', 'http://192.0.2.1/')];
  expect(await untilRead(unknown)).toMatchObject({ name: 'exemple.museum', state: 'unknown', expires_at: null });
  expect(await domainOf(none)).toBeNull();
  registry.register('phare.fr', inDays(90));
  const site = await addSite('phare', 'https://phare.fr/');
  const { expires_at: endsAt } = await untilRead(site);
  registry.plan('phare.fr', { status: 302, headers: { location: 'http://169.254.169.254/' } });
  expect(await readAgain(site)).toMatchObject({
    state: 'failed',
    expires_at: endsAt,
    error: 'Adresse non autorisée',
  });
  const { rows } = await stage.query<{ hours: number }>(
    "select extract(epoch from next_at - now())::float8 / 3600 as hours from sites.domains where name = 'phare.fr'",
  );
  // Once a day at most.
  expect(rows[0]?.hours).toBeGreaterThan(23);
  expect(await stage.list()).toEqual([]);
  expect(registry.refusals).toEqual([]);
});

it('says that a domain has expired although its registry fails by now, and leaves the others of it alone', async () => {
  // A registry of its own, since it is left alone from then on.
  registry.register('phare.xn--p1ai', inDays(90));
  registry.register('digue.xn--p1ai', inDays(90));
  const [site, other] = [
    await addSite('phare', 'https://phare.xn--p1ai/'),
    await addSite('digue', 'https://digue.xn--p1ai/'),
  ];
  await untilRead(site);
  await untilRead(other);
  await stage.query("update sites.domains set expires_at = now() - interval '1 day' where name = 'phare.xn--p1ai'");
  registry.plan('phare.xn--p1ai', { status: 429, headers: { 'retry-after': '60000' } });
  await stage.query("update sites.domains set next_at = now() where name = 'phare.xn--p1ai'");
  await until(async () => (await stage.list()).length > 0);
  expect(await stage.only()).toMatchObject({ kind: 'domain', cause: { name: 'phare.рф' }, sites: 1 });
  const { rows } = await stage.query<{ hours: number }>(
    'select min(extract(epoch from next_at - now()))::float8 / 3600 as hours from sites.domains',
  );
  expect(rows[0]?.hours).toBeGreaterThan(16);
});

it('takes a date that the registry moved on by itself for no renewal, and a lapsed domain for one that has ended', async () => {
  registry.register('phare.fr', inDays(3));
  const site = await addSite('phare', 'https://phare.fr/');
  await until(async () => (await stage.list()).length > 0);
  const planned = (status: string) =>
    registry.plan('phare.fr', { body: { ...aDomain('phare.fr', inDays(368)), status: [status] } });
  planned('auto renew period');
  expect(await readAgain(site)).toMatchObject({ phase: 'renewing', state: 'known' });
  expect(await stage.only()).toMatchObject({ state: 'open' });
  await stage.ask('POST', `/incidents/${(await stage.only()).id}/resolve`, {});
  planned('redemption period');
  await readAgain(site);
  await until(async () => (await stage.list('?state=open')).length > 0);
  const [open] = await stage.list('?state=open');
  expect(open?.evidence).toEqual({
    code: null,
    reason: 'Le registre va le libérer\u00a0: il faut le racheter au plus vite.',
    ends_at: null,
  });
});

it('tells the end of a domain to the owner whom its site passes on to, and no longer to the one before', async () => {
  registry.register('phare.fr', inDays(3));
  const site = await addSite('phare', 'https://phare.fr/');
  await until(async () => (await stage.list()).length > 0);
  const { id } = await stage.only();
  await stage.query('update sites.sites set owner_id = $2 where id = $1', site, stage.guest.id);
  await until(async () => (await stage.list('?state=open', stage.guest)).some((incident) => incident.id !== id));
  const theirs = await stage.only('?state=open', stage.guest);
  expect(theirs).toMatchObject({ cause: { name: 'phare.fr' }, sites: 1, can_act: true });
  expect(await stage.list('?state=open')).toEqual([]);
  expect(countQuestions('phare.fr')).toBe(1);
});

it('says what is known to end although nobody can be asked', async () => {
  registry.register('phare.fr', inDays(90));
  await untilRead(await addSite('phare', 'https://phare.fr/'));
  await stage.query("update sites.domains set expires_at = now() + interval '6 days'");
  // A process counts what is known when it starts, and each hour from then on.
  await stage.product.add('sites-svc');
  await until(async () => (await stage.list()).length > 0);
  expect(countQuestions('phare.fr')).toBe(1);
});

it('asks no second time after the death of the process that asked, and forgets a domain that no site has', async () => {
  registry.stall('bouee.fr');
  const site = await addSite('bouee', 'https://bouee.fr/');
  await until(() => countQuestions('bouee.fr') > 0);
  await Promise.all(stage.product.processesOf('sites-svc').map((process) => process.kill()));
  await Promise.all([stage.product.add('sites-svc'), stage.product.add('sites-svc')]);
  registry.register('digue.fr', inDays(90));
  const other = await addSite('digue', 'https://digue.fr/');
  // As after a minute: nobody waits for that answer any more.
  await stage.query("update sites.domains set claimed_at = claimed_at - interval '1 minute'");
  await untilRead(other);
  expect(countQuestions('bouee.fr')).toBe(1);
  await stage.query('delete from sites.sites where id = $1', site);
  await stage.query("update sites.domains set next_at = now() where name = 'bouee.fr'");
  await until(async () => (await stage.query("select from sites.domains where name = 'bouee.fr'")).rows.length === 0);
  expect(countQuestions('bouee.fr')).toBe(1);
});

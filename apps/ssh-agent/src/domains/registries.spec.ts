import { outboundRule } from '@vigie/ssh/addresses';
import { aDomain, FakeRegistry } from '@vigie/testing/registry';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { registryOf, toRegistries } from './bootstrap';
import { getJson } from './get-json';
import { Registries } from './registries';

let registry: FakeRegistry;
beforeEach(async () => {
  registry = await FakeRegistry.start();
});
afterEach(() => registry.close());

const mayConnect = outboundRule({ allowsPrivate: false, ranges: ['127.0.0.1'] });
const open = (url = registry.listUrl) => new Registries(url, { mayConnect, spacingMs: 0, ms: 2_000 });
const next = '2027-03-03T10:00:00Z';

it('asks the registry of the suffix, and reads the list of registries once', async () => {
  registry.register('boutique.fr', next);
  const registries = open();
  const host = new URL(registry.url).host;
  expect(await registries.read('boutique.fr')).toMatchObject({ state: 'known', registrar: 'OVH', server: host });
  expect(await registries.read('autre.fr')).toMatchObject({ state: 'unknown', server: host });
  expect(await registries.read('exemple.zz')).toMatchObject({ state: 'unknown', server: null });
  expect([registry.lists, registry.questions, registry.refusals]).toEqual([1, ['boutique.fr', 'autre.fr'], []]);
});

it('asks a registry one question at a time, and none while it wants to be left alone', async () => {
  const registries = open();
  await Promise.all(['a.fr', 'b.fr', 'c.fr'].map((name) => registries.read(name)));
  expect(registry.mostOpen).toBe(1);
  registry.plan('trop.fr', { status: 429, headers: { 'retry-after': '120' } });
  expect(await registries.read('trop.fr')).toMatchObject({ state: 'failed', retry_after: 120 });
  expect(await registries.read('encore.fr')).toMatchObject({ state: 'failed', retry_after: 120, was_asked: false });
  expect(registry.questions).not.toContain('encore.fr');
});

it('follows three redirects, each by the rule for outbound connections', async () => {
  const redirect = (name: string, location: string) => registry.plan(name, { status: 302, headers: { location } });
  registry.plan('c.fr', { body: aDomain('a.fr', next) });
  redirect('a.fr', '/rdap/fr/domain/b.fr');
  redirect('b.fr', '/rdap/fr/domain/c.fr');
  const registries = open();
  expect(await registries.read('a.fr')).toMatchObject({ state: 'known' });
  for (const inner of ['http://169.254.169.254/latest/', 'http://10.0.0.1/', 'http://127.0.0.2/', 'http://[::1]/']) {
    redirect('interne.fr', inner);
    expect(await registries.read('interne.fr')).toMatchObject({ state: 'failed', error: 'Adresse non autorisée' });
  }
  redirect('boucle.fr', '/rdap/fr/domain/boucle.fr');
  expect(await registries.read('boucle.fr')).toMatchObject({ error: 'Le registre redirige plus de 3 fois.' });
  expect(registry.questions.filter((name) => name === 'boucle.fr')).toHaveLength(4);
});

it('gives up on a registry that does not answer in time', async () => {
  registry.stall('lent.fr');
  const registries = new Registries(registry.listUrl, { mayConnect, spacingMs: 0, ms: 300 });
  expect(await registries.read('lent.fr')).toMatchObject({
    state: 'failed',
    error: 'Le registre n’a pas répondu en 0,3\u00a0s.',
  });
});

it('reads no endless answer, and says so', async () => {
  registry.plan('long.fr', { body: ' '.repeat(300_000) });
  expect(await open().read('long.fr')).toMatchObject({
    state: 'failed',
    error: 'La réponse du registre est trop longue.',
  });
});

it('fails for all where the list cannot be read, and asks for it again later only', async () => {
  const registries = open(`${registry.url}/autre.json`);
  for (const name of ['a.fr', 'b.fr']) {
    expect(await registries.read(name)).toMatchObject({
      state: 'failed',
      error: 'La liste des registres n’a pas pu être lue\u00a0: HTTP\u00a0400.',
      server: null,
    });
  }
  expect(registry.refusals).toHaveLength(1);
});

it('asks nobody without a list', async () => {
  const registries = new Registries(null, { mayConnect });
  expect(await registries.read('boutique.fr')).toMatchObject({ state: 'unknown', server: null });
});

it('goes nowhere over plain HTTP, unless the list came so', async () => {
  const request = { mayConnect, allowsHttp: false, maxBytes: 1_000 };
  await expect(getJson(registry.listUrl, request)).rejects.toThrow('Le registre n’est pas joint en https.');
  expect(registry.lists).toBe(0);
});

it('takes registries over HTTPS, and over HTTP where the list came so', () => {
  const body = {
    services: [
      [
        ['fr', 'EXAMPLE.ORG'],
        ['http://a.test/rdap', 'https://b.test/rdap'],
      ],
      [['de'], ['http://c.test']],
    ],
  };
  expect([...toRegistries(body, false)]).toEqual([
    ['fr', 'https://b.test/rdap/'],
    ['example.org', 'https://b.test/rdap/'],
  ]);
  expect(toRegistries(body, true).get('de')).toBe('http://c.test/');
  for (const bad of [undefined, {}, { services: [] }, { services: [['fr']] }]) {
    expect(() => toRegistries(bad, true)).toThrow('La liste des registres est illisible.');
  }
});

it('chooses the registry of the longest suffix', () => {
  const registries = new Map([
    ['org', 'https://org/'],
    ['example.org', 'https://example/'],
  ]);
  expect(registryOf('a.example.org', registries)).toBe('https://example/');
  expect(registryOf('example.org', registries)).toBe('https://org/');
  expect(registryOf('org', registries)).toBeUndefined();
});

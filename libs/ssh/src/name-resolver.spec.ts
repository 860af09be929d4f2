import { expect, it } from 'vitest';
import { until } from '@vigie/testing/until';
import { NameResolver, NotResolved } from './name-resolver';

const addresses = [{ address: '192.0.2.7', family: 4 }];
const unknown = Object.assign(new Error('getaddrinfo'), { code: 'EAI_AGAIN' });

/** Fake name servers that answer on demand and record each looked-up name in order. */
function fakeNameServers() {
  const lookedUp: string[] = [];
  const pending = new Map<string, { answer: () => void; fail: () => void }>();
  const lookUp = (name: string) => {
    lookedUp.push(name);
    return new Promise<typeof addresses>((resolve, reject) => {
      pending.set(name, { answer: () => resolve(addresses), fail: () => reject(unknown) });
    });
  };
  const settle = (result: 'answer' | 'fail', name: string) => pending.get(name)?.[result]();
  return { lookedUp, lookUp, settle };
}

const nextTick = () => new Promise((resolve) => setImmediate(resolve));
/** Starts look-ups and ignores their failures. */
const startAll = async (names: NameResolver, hosts: readonly string[]) => {
  for (const host of hosts) names.resolve(host).catch(() => undefined);
  await nextTick();
};
const manyHosts = (count: number, domain: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => `h${index}.${domain(index)}`);

it('looks up a name once for several callers, in any spelling', async () => {
  const { lookedUp, lookUp, settle } = fakeNameServers();
  const names = new NameResolver(lookUp);
  const both = [names.resolve('Hote.exemple.fr.'), names.resolve('hote.exemple.fr')];
  await nextTick();
  expect(lookedUp).toEqual(['hote.exemple.fr']);
  settle('answer', 'hote.exemple.fr');
  expect(await Promise.all(both)).toEqual([addresses, addresses]);
});

it('repeats the failure of a silent name for a while without a look-up', async () => {
  const { lookedUp, lookUp, settle } = fakeNameServers();
  const names = new NameResolver(lookUp, { slowMs: 0, retryAfterMs: 250 });
  const first = names.resolve('mort.test');
  await nextTick();
  settle('fail', 'mort.test');
  await expect(first).rejects.toBe(unknown);
  await expect(names.resolve('mort.test')).rejects.toBe(unknown);
  expect(lookedUp).toHaveLength(1);
  await until(async () => {
    await startAll(names, ['mort.test']);
    return lookedUp.length === 2;
  });
});

it('looks up again at once a name that failed quickly', async () => {
  const { lookedUp, lookUp, settle } = fakeNameServers();
  const names = new NameResolver(lookUp);
  for (const times of [1, 2]) {
    const lookup = names.resolve('faute.test');
    await nextTick();
    expect(lookedUp).toHaveLength(times);
    settle('fail', 'faute.test');
    await expect(lookup).rejects.toBe(unknown);
  }
});

it('keeps places for names that answered before, however many stay silent', async () => {
  const { lookedUp, lookUp, settle } = fakeNameServers();
  const names = new NameResolver(lookUp, { slowMs: 0, retryAfterMs: 0 });
  const good = names.resolve('bon.fr');
  await nextTick();
  settle('answer', 'bon.fr');
  await good;
  const silentNames = manyHosts(30, (index) => `mort${index}.test`);
  await startAll(names, silentNames);
  // Unknown names have eight places.
  expect(lookedUp).toHaveLength(1 + 8);
  for (let index = 0; index < silentNames.length; index += 1) {
    settle('fail', silentNames[index] ?? '');
    await nextTick();
  }
  expect(new Set(lookedUp)).toEqual(new Set(['bon.fr', ...silentNames]));
  lookedUp.splice(0);
  await startAll(names, silentNames);
  // Silent names have four.
  expect(lookedUp).toHaveLength(4);
  await startAll(names, ['bon.fr', 'neuf.fr']);
  expect(lookedUp.slice(4)).toEqual(['bon.fr', 'neuf.fr']);
});

it('looks up four names of one domain at once', async () => {
  const { lookedUp, lookUp, settle } = fakeNameServers();
  const names = new NameResolver(lookUp);
  await startAll(names, [...manyHosts(6, () => 'un.test'), 'h.autre.test']);
  expect(lookedUp.toSorted()).toEqual(['h.autre.test', 'h0.un.test', 'h1.un.test', 'h2.un.test', 'h3.un.test']);
  settle('answer', 'h0.un.test');
  await nextTick();
  expect(lookedUp.at(-1)).toBe('h4.un.test');
});

it('reports a name as not looked up when others occupy every place', async () => {
  const { lookedUp, lookUp, settle } = fakeNameServers();
  const names = new NameResolver(lookUp, { unknown: 1, laneWaitMs: 20 });
  await startAll(names, ['a.test']);
  await expect(names.resolve('b.fr')).rejects.toBeInstanceOf(NotResolved);
  expect(lookedUp).toEqual(['a.test']);
  settle('fail', 'a.test');
  await nextTick();
  await startAll(names, ['b.fr']);
  expect(lookedUp).toEqual(['a.test', 'b.fr']);
});

it('repeats the last failure of a silent name when other silent names occupy every place', async () => {
  const { lookedUp, lookUp, settle } = fakeNameServers();
  const names = new NameResolver(lookUp, { silent: 0, slowMs: 0, retryAfterMs: 0, laneWaitMs: 20 });
  const first = names.resolve('mort.test');
  await nextTick();
  settle('fail', 'mort.test');
  await expect(first).rejects.toBe(unknown);
  await expect(names.resolve('mort.test')).rejects.toBe(unknown);
  expect(lookedUp).toEqual(['mort.test']);
});

it('gives up a name that waits too long for others of its domain', async () => {
  const { lookedUp, lookUp } = fakeNameServers();
  const names = new NameResolver(lookUp, { perDomain: 1, domainWaitMs: 20 });
  await startAll(names, ['a.un.test']);
  await expect(names.resolve('b.un.test')).rejects.toThrow('timeout');
  expect(lookedUp).toEqual(['a.un.test']);
});

it('does not make an IP address wait', async () => {
  const names = new NameResolver(undefined, { unknown: 0, answered: 0, silent: 0 });
  expect(await names.resolve('127.0.0.1')).toEqual([{ address: '127.0.0.1', family: 4 }]);
  expect(await names.resolve('::1')).toEqual([{ address: '::1', family: 6 }]);
});

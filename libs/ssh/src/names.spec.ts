import { expect, it } from 'vitest';
import { until } from '@vigie/testing/until';
import { Names, NotResolved } from './names';

const found = [{ address: '192.0.2.7', family: 4 }];
const unknown = Object.assign(new Error('getaddrinfo'), { code: 'EAI_AGAIN' });

/** Name servers that answer when they are told to: each name that the system was asked for is kept, in its order. */
function system() {
  const asked: string[] = [];
  const open = new Map<string, { answer: () => void; fail: () => void }>();
  const ask = (name: string) => {
    asked.push(name);
    return new Promise<typeof found>((resolve, reject) => {
      open.set(name, { answer: () => resolve(found), fail: () => reject(unknown) });
    });
  };
  const end = (how: 'answer' | 'fail', name: string) => open.get(name)?.[how]();
  return { asked, ask, end };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
/** Whoever asks for it may give up, as far as these tests go. */
const startAll = async (names: Names, hosts: readonly string[]) => {
  for (const host of hosts) names.find(host).catch(() => undefined);
  await turn();
};
const many = (count: number, domain: (place: number) => string) =>
  Array.from({ length: count }, (_, place) => `h${place}.${domain(place)}`);

it('asks once for a name that several wait for, however it is written', async () => {
  const { asked, ask, end } = system();
  const names = new Names(ask);
  const both = [names.find('Hote.exemple.fr.'), names.find('hote.exemple.fr')];
  await turn();
  expect(asked).toEqual(['hote.exemple.fr']);
  end('answer', 'hote.exemple.fr');
  expect(await Promise.all(both)).toEqual([found, found]);
});

it('leaves a name alone for a while that nobody answered for, and says the same of it', async () => {
  const { asked, ask, end } = system();
  const names = new Names(ask, { slowMs: 0, restMs: 250 });
  const first = names.find('mort.test');
  await turn();
  end('fail', 'mort.test');
  await expect(first).rejects.toBe(unknown);
  await expect(names.find('mort.test')).rejects.toBe(unknown);
  expect(asked).toHaveLength(1);
  await until(async () => {
    await startAll(names, ['mort.test']);
    return asked.length === 2;
  });
});

it('asks again at once for a name of which it was said quickly that there is none', async () => {
  const { asked, ask, end } = system();
  const names = new Names(ask);
  for (const times of [1, 2]) {
    const asking = names.find('faute.test');
    await turn();
    expect(asked).toHaveLength(times);
    end('fail', 'faute.test');
    await expect(asking).rejects.toBe(unknown);
  }
});

it('has room for what answered before, whatever stays without an answer', async () => {
  const { asked, ask, end } = system();
  const names = new Names(ask, { slowMs: 0, restMs: 0 });
  const good = names.find('bon.fr');
  await turn();
  end('answer', 'bon.fr');
  await good;
  const dead = many(30, (place) => `mort${place}.test`);
  await startAll(names, dead);
  // Those of which nothing is known yet have eight places.
  expect(asked).toHaveLength(1 + 8);
  for (let place = 0; place < dead.length; place += 1) {
    end('fail', dead[place] ?? '');
    await turn();
  }
  expect(new Set(asked)).toEqual(new Set(['bon.fr', ...dead]));
  asked.splice(0);
  await startAll(names, dead);
  // Those that stayed silent have four.
  expect(asked).toHaveLength(4);
  await startAll(names, ['bon.fr', 'neuf.fr']);
  expect(asked.slice(4)).toEqual(['bon.fr', 'neuf.fr']);
});

it('asks for four names of one domain at once', async () => {
  const { asked, ask, end } = system();
  const names = new Names(ask);
  await startAll(names, [...many(6, () => 'un.test'), 'h.autre.test']);
  expect(asked.toSorted()).toEqual(['h.autre.test', 'h0.un.test', 'h1.un.test', 'h2.un.test', 'h3.un.test']);
  end('answer', 'h0.un.test');
  await turn();
  expect(asked.at(-1)).toBe('h4.un.test');
});

it('says of a name that it was not asked for, where others had all the places', async () => {
  const { asked, ask, end } = system();
  const names = new Names(ask, { unknown: 1, turnMs: 20 });
  await startAll(names, ['a.test']);
  await expect(names.find('b.fr')).rejects.toBeInstanceOf(NotResolved);
  expect(asked).toEqual(['a.test']);
  end('fail', 'a.test');
  await turn();
  await startAll(names, ['b.fr']);
  expect(asked).toEqual(['a.test', 'b.fr']);
});

it('says what it knows of a name that stayed silent, where others of its like have all the places', async () => {
  const { asked, ask, end } = system();
  const names = new Names(ask, { silent: 0, slowMs: 0, restMs: 0, turnMs: 20 });
  const first = names.find('mort.test');
  await turn();
  end('fail', 'mort.test');
  await expect(first).rejects.toBe(unknown);
  await expect(names.find('mort.test')).rejects.toBe(unknown);
  expect(asked).toEqual(['mort.test']);
});

it('forgets who waits for others of its domain longer than anybody would', async () => {
  const { asked, ask } = system();
  const names = new Names(ask, { ofDomain: 1, waitMs: 20 });
  await startAll(names, ['a.un.test']);
  await expect(names.find('b.un.test')).rejects.toThrow('timeout');
  expect(asked).toEqual(['a.un.test']);
});

it('does not keep an address of numbers waiting', async () => {
  const names = new Names(undefined, { unknown: 0, answered: 0, silent: 0 });
  expect(await names.find('127.0.0.1')).toEqual([{ address: '127.0.0.1', family: 4 }]);
  expect(await names.find('::1')).toEqual([{ address: '::1', family: 6 }]);
});

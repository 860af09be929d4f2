import { expect, it } from 'vitest';
import { until } from '@vigie/testing/until';
import { ReadQueue, type ReadLimits, type SiteGroup } from './read-queue';

type Group = Omit<SiteGroup, 'since'>;

/** A row with a host of its own, unless another one is named. */
const group = (row: string, sites: readonly string[] = [`${row}/`], host = row): Group =>
  ({
    access: { row: { table: 'servers', id: row }, host, port: 22 },
    sites: sites.map((id) => ({ id })),
  }) as unknown as Group;

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

const lateWithTwo = (sites: number) => (sites === 2 ? 0 : 60_000);

/** A queue whose reads end when the test says so. */
function makeQueue(limits: Partial<ReadLimits> = {}) {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const queue = new ReadQueue(
    { maxGroups: 2, maxPerHost: 2, maxLate: 1, lateMs: () => 60_000, ...limits },
    ({ access, sites }) => {
      started.push(`${access.row.id}:${sites.length}`);
      return new Promise<void>((resolve) => ends.set(access.row.id, resolve));
    },
  );
  const end = async (row: string) => {
    ends.get(row)?.();
    await nextTurn();
  };
  const add = (...groups: Group[]) => {
    const state = { hasRoom: false };
    void queue.add(groups).then(() => (state.hasRoom = true));
    return state;
  };
  return { queue, begun: started, end, add };
}

it('starts the next group as soon as one ends, whichever is the slowest', async () => {
  const { begun: started, end, add } = makeQueue();
  const batch = add(group('slow'), group('a'), group('b'));
  await nextTurn();
  expect([started, batch.hasRoom]).toEqual([['slow:1', 'a:1'], false]);
  await end('a');
  expect([started.at(-1), batch.hasRoom]).toEqual(['b:1', true]);
  const next = add(group('c'), group('d'));
  await end('b');
  expect([started.at(-1), next.hasRoom]).toEqual(['c:1', false]);
  await end('c');
  expect([started.at(-1), next.hasRoom]).toEqual(['d:1', true]);
});

it('starts another group in place of one that takes too long, which gets one of few slots the next time', async () => {
  const { begun: started, end, add } = makeQueue({ lateMs: lateWithTwo });
  add(group('slow', ['1', '2']), group('slower', ['3', '4']), group('next'));
  expect(started).toHaveLength(2);
  await until(() => started.length === 3);
  for (const row of ['slow', 'slower', 'next']) await end(row);
  started.splice(0);
  const batch = add(group('slow'), group('slower'), group('other'));
  expect(started).toEqual(['slow:1', 'other:1']);
  await nextTurn();
  expect(batch.hasRoom).toBe(true);
  await end('slow');
  expect(started.at(-1)).toBe('slower:1');
});

it('treats a group that was on time again like any other', async () => {
  const { begun: started, end, add } = makeQueue({ lateMs: lateWithTwo });
  const rows = ['a', 'b'];
  add(...rows.map((row) => group(row, [`${row}/1`, `${row}/2`])), group('c'), group('d'));
  await until(() => started.length === 4);
  for (const row of [...rows, 'c', 'd']) await end(row);
  const again = rows.map((row) => group(row));
  for (const together of [['a:1'], ['a:1', 'b:1']]) {
    started.splice(0);
    add(...again);
    expect(started).toEqual(together);
    await end('a');
    await end('b');
  }
});

it('reads few groups of one host at once, and those of other hosts meanwhile', async () => {
  const { begun: started, end, add } = makeQueue({ maxGroups: 9 });
  const batch = add(...['a', 'b', 'c', 'd'].map((row) => group(row, [row], 'Shared.fr')), group('e'));
  await nextTurn();
  expect(started).toEqual(['a:1', 'b:1', 'e:1']);
  expect(batch.hasRoom).toBe(true);
  await end('b');
  expect(started.at(-1)).toBe('c:1');
});

it('does not read a site twice that still waits to be read', async () => {
  const { begun: started, end, add } = makeQueue({ maxGroups: 1 });
  add(group('a'), group('b', ['1', '2']), group('b', ['3']));
  add(group('b', ['2', '3', '4']));
  await end('a');
  await end('b');
  await end('b');
  await end('b');
  expect(started).toEqual(['a:1', 'b:2', 'b:1', 'b:1']);
});

it('starts nothing more when it is closed', async () => {
  const { queue, begun: started, end, add } = makeQueue({ maxGroups: 1 });
  const batch = add(group('a'), group('b'));
  queue.close();
  await nextTurn();
  expect(batch.hasRoom).toBe(true);
  await end('a');
  expect(started).toEqual(['a:1']);
});

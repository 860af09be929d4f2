import { afterEach, describe, expect, it, vi } from 'vitest';
import { aRecord, storedRecord } from '@vigie/testing/dns-records';
import { ProviderFailure } from '../providers/failures';
import type { DnsProvider, Write } from '../providers/provider';
import { limitChanges } from './limit-changes';
import { planBetween } from './plan';
import { ChangeWriter } from './change-writer';

const recordOf = (name: string, content: string) => aRecord(name, { content });

/** Every name loses two records and gets one: three changes each. */
function replacing(count: number) {
  const names = Array.from({ length: count }, (_, n) => `h${String(n).padStart(4, '0')}`);
  const from = names.flatMap((name) => [
    storedRecord(`${name}a`, recordOf(name, '203.0.113.1')),
    storedRecord(`${name}b`, recordOf(name, '203.0.113.2')),
  ]);
  const to = names.map((name) => ({ ...recordOf(name, 'ailleurs.fr'), type: 'CNAME' }));
  return { from, planned: planBetween(from, to, 'exemple.fr') };
}

/** A provider that records what it was sent. */
function providerOf(answer: (writes: readonly Write[]) => void) {
  const parts: Write[][] = [];
  const nothing = () => Promise.reject(new Error('not asked'));
  const provider: DnsProvider = {
    logIn: nothing,
    zones: nothing,
    zone: nothing,
    findZone: nothing,
    createZone: nothing,
    records: nothing,
    write: async (_, writes) => {
      parts.push([...writes]);
      answer(writes);
      return writes.map((write) =>
        write.action === 'delete' ? null : storedRecord(`new${parts.length}`, write.record),
      );
    },
  };
  return { provider, parts };
}

const nameOf = (write: Write) => (write.action === 'delete' ? write.id.slice(0, 5) : write.record.name.slice(0, 5));
const isWhole = (part: readonly Write[]) => {
  const names = new Set(part.map(nameOf));
  return [...names].every((name) => part.filter((write) => nameOf(write) === name).length === 3);
};

afterEach(() => {
  vi.restoreAllMocks();
});

describe('writing in batches', () => {
  it('leaves no name without its records between two batches', async () => {
    const { from, planned } = replacing(90);
    const { provider, parts } = providerOf(() => undefined);
    const { outcomes } = await new ChangeWriter(provider, 'z', from).run(planned);
    expect(outcomes.map(({ state }) => state)).toEqual(planned.map(() => 'done'));
    expect(parts.map(({ length }) => length)).toEqual([99, 99, 72]);
    expect(parts.every(isWhole)).toBe(true);
    expect(parts[0]?.slice(0, 3).map(({ action }) => action)).toEqual(['delete', 'delete', 'create']);
  });

  it('deletes nothing from a name whose new record is refused', async () => {
    const { from, planned } = replacing(4);
    const { provider, parts } = providerOf((writes) => {
      if (writes.some((write) => write.action === 'create' && nameOf(write) === 'h0002')) {
        throw new ProviderFailure('refused', 'non');
      }
    });
    const { outcomes } = await new ChangeWriter(provider, 'z', from).run(planned);
    const refused = outcomes
      .filter(({ state }) => state === 'refused')
      .map(({ planned: { difference } }) => difference);
    expect(refused.map(({ before, after }) => (before ?? after)?.name)).toEqual(Array(3).fill('h0002.exemple.fr'));
    expect(parts.every(isWhole)).toBe(true);
    expect(outcomes.filter(({ state }) => state === 'done')).toHaveLength(9);
  });

  it('keeps a record together with the name it moves to', async () => {
    const many = Array.from({ length: 99 }, (_, n) => storedRecord(`m${n}`, recordOf(`m${n}`, '203.0.113.3')));
    const moved = storedRecord('a', recordOf('a', '203.0.113.1'));
    const from = [...many, storedRecord('z', recordOf('z', '203.0.113.2')), moved];
    const planned = planBetween(from, [{ ...moved, name: 'z.exemple.fr' }], 'exemple.fr');
    const { provider, parts } = providerOf(() => undefined);
    await new ChangeWriter(provider, 'z', from).run(planned);
    expect(parts.map(({ length }) => length)).toEqual([99, 2]);
    expect(parts[1]?.map(({ action }) => action)).toEqual(['delete', 'edit']);
  });

  it('sends nothing more once its time is over, in halves too', async () => {
    const { from, planned } = replacing(30);
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    const { provider, parts } = providerOf(() => {
      now += 5_000;
      throw new ProviderFailure('refused', 'non');
    });
    const { outcomes, stopped } = await new ChangeWriter(provider, 'z', from).run(planned);
    expect(parts).toHaveLength(2);
    expect(stopped?.message).toContain('Vigie cherche encore lesquels');
    expect(outcomes.map(({ state }) => state)).toEqual(planned.map(() => 'waiting'));
  });

  it('sends accepted batches before it isolates refusals, and gets past these on repetition', async () => {
    const isBad = (name: string) => /^h00[01]\d/.test(name);
    const names = Array.from({ length: 130 }, (_, n) => `h${String(n).padStart(4, '0')}`);
    let remaining = names.map((name) => recordOf(name, '203.0.113.1'));
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    let begins = 0;
    vi.spyOn(Math, 'random').mockImplementation(() => ((begins += 0.37) * 1.7) % 1);
    const attempt = async () => {
      const { provider } = providerOf((writes) => {
        now += 600;
        if (writes.some((write) => isBad(nameOf(write)))) throw new ProviderFailure('refused', 'non');
      });
      const planned = planBetween([], remaining, 'exemple.fr');
      const { outcomes, stopped } = await new ChangeWriter(provider, 'z', []).run(planned);
      remaining = outcomes.flatMap(({ state, planned: { difference } }) =>
        state === 'done' ? [] : (difference.after ?? []),
      );
      return stopped;
    };
    const stopped = await attempt();
    expect(stopped?.message).toContain('Vigie cherche encore lesquels');
    expect(remaining.filter(({ name }) => name >= 'h0100')).toEqual([]);
    for (let n = 0; n < 10 && remaining.length > 20; n += 1) await attempt();
    expect(remaining.every(({ name }) => isBad(name))).toBe(true);
  });

  it('does not count changes that Vigie itself refuses', () => {
    const existing = Array.from({ length: 600 }, (_, n) => storedRecord(`t${n}`, recordOf(`t${n}`, '203.0.113.1')));
    const clashes = existing.map((each) => ({ ...each, id: `${each.id}bis`, type: 'CNAME', content: 'ailleurs.fr' }));
    const accepted = Array.from({ length: 10 }, (_, n) => recordOf(`n${n}`, '203.0.113.2'));
    const part = limitChanges();
    const first = part.take(planBetween(existing, [...existing, ...clashes, ...accepted], 'exemple.fr'));
    expect(first.filter(({ write }) => write !== null)).toHaveLength(10);
    expect(first).toHaveLength(510);
    const result = { results: [], done: 10, stopped: null, retry_after: null, version: 'v' };
    expect(part.finish(result).stopped).toBeNull();
  });

  it('takes whole names, in the order of the plan', () => {
    const { planned } = replacing(200);
    const first = limitChanges().take(planned);
    expect(first).toHaveLength(498);
    expect(isWhole(first.flatMap(({ write }) => write ?? []))).toBe(true);
    expect(first.map(({ index }) => index)).toEqual(first.map(({ index }) => index).toSorted((a, b) => a - b));
  });
});

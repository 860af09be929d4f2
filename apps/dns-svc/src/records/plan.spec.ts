import { describe, expect, it } from 'vitest';
import { aRecord, storedRecord } from '@vigie/testing/dns-records';
import { planBetween, planChanges } from './plan';

describe('a plan', () => {
  it('of thousands of changes in a large zone reads each record a few times', () => {
    let reads = 0;
    const from = Array.from({ length: 3_000 }, (_, n) =>
      Object.defineProperty(storedRecord(`h${n}`, aRecord(`h${n}`)), 'content', {
        enumerable: true,
        get: () => {
          reads += 1;
          return '203.0.113.1';
        },
      }),
    );
    const more = Array.from({ length: 3_000 }, (_, n) => aRecord(`n${n}`));
    const planned = planBetween(from, [...from, ...more], 'exemple.fr');
    expect(planned.filter(({ write }) => write?.action === 'create')).toHaveLength(3_000);
    expect(reads).toBeLessThan(20 * from.length);
  });

  it('refuses a duplicate record, and a CNAME beside an address, as Cloudflare does', () => {
    const from = [
      storedRecord('1', aRecord('www')),
      storedRecord('2', aRecord('alias', { type: 'CNAME', content: 'b.fr' })),
    ];
    const more = [
      aRecord('www'),
      aRecord('www', { type: 'CNAME', content: 'b.fr' }),
      aRecord('alias'),
      aRecord('alias', { type: 'CNAME', content: 'c.fr' }),
      aRecord('alias', { type: 'TXT', content: 'x' }),
      aRecord('@', { type: 'CNAME', content: 'b.fr' }),
      aRecord('@', { type: 'TXT', content: 'x' }),
      aRecord('@'),
    ];
    const planned = planBetween(from, [...from, ...more], 'exemple.fr');
    expect(planned.map(({ isClash }) => isClash === true)).toEqual([true, true, true, true, false, false, false, true]);
  });

  it('may change or restore a CNAME with a text beside it', () => {
    const alias = storedRecord('1', aRecord('shop', { type: 'CNAME', content: 'b.fr', proxied: true, ttl: 1 }));
    const text = storedRecord('2', aRecord('shop', { type: 'TXT', content: 'x' }));
    const edits = planChanges([alias, text], 'exemple.fr', [
      { action: 'edit', record_id: '1', record: { comment: 'la boutique' } },
      { action: 'edit', record_id: '2', record: { ttl: 600 } },
    ]);
    const back = planBetween([], [alias, text], 'exemple.fr');
    for (const { difference } of [...edits, ...back]) expect(difference).toMatchObject({ refusal: null, warnings: [] });
  });

  it('warns of an unproxied CNAME beside another record, when either is new', () => {
    const alias = aRecord('shop', { type: 'CNAME', content: 'b.fr' });
    const text = aRecord('shop', { type: 'TXT', content: 'x' });
    const warned = (planned: ReturnType<typeof planBetween>) =>
      planned.map(({ difference }) => difference.warnings.length);
    expect(warned(planBetween([], [alias, text], 'exemple.fr'))).toEqual([0, 1]);
    expect(warned(planBetween([], [text, alias], 'exemple.fr'))).toEqual([0, 1]);
    const both = [storedRecord('1', alias), storedRecord('2', text)];
    const longer = [{ action: 'edit', record_id: '1', record: { ttl: 600 } } as const];
    expect(warned(planChanges(both, 'exemple.fr', longer))).toEqual([0]);
    const apex = [alias, text].map((each) => ({ ...each, name: 'exemple.fr' }));
    expect(warned(planBetween([], apex, 'exemple.fr'))).toEqual([0, 0]);
  });

  it('warns of a new comment that Cloudflare may refuse', () => {
    const comment = 'x'.repeat(101);
    const warned = (from: string | null, to: object) => {
      const existing = storedRecord('1', aRecord('www', { comment: from }));
      const [plan] = planChanges([existing], 'exemple.fr', [{ action: 'edit', record_id: '1', record: to }]);
      return plan?.difference.warnings.length;
    };
    expect([warned(null, { comment }), warned(comment, { ttl: 600 }), warned(null, { comment: 'x' })]).toEqual([
      1, 0, 0,
    ]);
  });

  it('restores a record with its extras, and does not compare them', () => {
    const extras = { tags: ['équipe:web'], settings: { flatten_cname: true } };
    const snapshotRecord = { ...storedRecord('1', aRecord('www')), extras };
    const [created] = planBetween([], [snapshotRecord], 'exemple.fr');
    expect(created?.write).toMatchObject({ action: 'create', record: { name: 'www.exemple.fr', extras } });
    expect(created?.difference.after).not.toHaveProperty('extras');
    expect(planBetween([storedRecord('1', aRecord('www'))], [snapshotRecord], 'exemple.fr')).toEqual([]);
  });

  it('reports a conflict only when it would change something', () => {
    const from = [storedRecord('1', aRecord('www', { content: '203.0.113.9' }))];
    const edit = (content: string) =>
      ({ action: 'edit', record_id: '1', record: { content }, expected: 'une autre' }) as const;
    const conflicts = ['203.0.113.9', '203.0.113.8'].map(
      (content) => planChanges(from, 'exemple.fr', [edit(content)])[0]?.difference.is_conflict,
    );
    expect(conflicts).toEqual([false, true]);
    const missing = { action: 'edit', record_id: '2', record: { ttl: 300 }, expected: 'une autre' } as const;
    expect(planChanges(from, 'exemple.fr', [missing])[0]?.difference.is_conflict).toBe(true);
  });
});

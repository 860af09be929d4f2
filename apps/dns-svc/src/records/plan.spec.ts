import { describe, expect, it } from '@jest/globals';
import type { RecordContent } from '@vigie/contracts/dns-records';
import type { HeldRecord } from '../providers/provider';
import { planBetween, planChanges } from './plan';

const record = (name: string, fields: Partial<RecordContent> = {}): RecordContent => ({
  type: 'A',
  name: `${name}.exemple.fr`,
  content: '203.0.113.1',
  ttl: 300,
  priority: null,
  proxied: false,
  comment: null,
  ...fields,
});
const held = (id: string, content: RecordContent): HeldRecord => ({
  id,
  ...content,
  editable: true,
  proxiable: true,
  modified_at: null,
});

describe('a plan', () => {
  it('of thousands beside thousands looks at each of them a few times', () => {
    let reads = 0;
    const from = Array.from({ length: 3_000 }, (_, n) =>
      Object.defineProperty(held(`h${n}`, record(`h${n}`)), 'content', {
        enumerable: true,
        get: () => {
          reads += 1;
          return '203.0.113.1';
        },
      }),
    );
    const more = Array.from({ length: 3_000 }, (_, n) => record(`n${n}`));
    const planned = planBetween(from, [...from, ...more], 'exemple.fr');
    expect(planned.filter(({ write }) => write?.action === 'create')).toHaveLength(3_000);
    expect(reads).toBeLessThan(20 * from.length);
  });

  it('refuses the same record twice, and a CNAME that is not alone but at the zone itself', () => {
    const from = [held('1', record('www')), held('2', record('alias', { type: 'CNAME', content: 'b.fr' }))];
    const apex = { name: 'exemple.fr' };
    const more = [
      record('www'),
      record('www', { type: 'CNAME', content: 'b.fr' }),
      record('alias', { type: 'TXT', content: 'x' }),
      record('', { ...apex, type: 'CNAME', content: 'b.fr' }),
      record('', { ...apex, type: 'TXT', content: 'x' }),
      record('', apex),
    ];
    const planned = planBetween(from, [...from, ...more], 'exemple.fr');
    expect(planned.map(({ isClash }) => isClash === true)).toEqual([true, true, true, false, false, true]);
  });

  it('meets somebody else’s change only where it would change something itself', () => {
    const from = [held('1', record('www', { content: '203.0.113.9' }))];
    const edit = (content: string) =>
      ({ action: 'edit', record_id: '1', record: { content }, expected: 'une autre' }) as const;
    const conflicts = ['203.0.113.9', '203.0.113.8'].map(
      (content) => planChanges(from, 'exemple.fr', [edit(content)])[0]?.difference.is_conflict,
    );
    expect(conflicts).toEqual([false, true]);
    const gone = { action: 'edit', record_id: '2', record: { ttl: 300 }, expected: 'une autre' } as const;
    expect(planChanges(from, 'exemple.fr', [gone])[0]?.difference.is_conflict).toBe(true);
  });
});

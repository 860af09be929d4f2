import { describe, expect, it } from 'vitest';
import { auditZone, type ExpectedRecord } from './zone-audit';

describe('records', () => {
  const record = { name: 'n1.exemple.fr', content: '203.0.113.1' };
  const creation = { method: 'POST', path: '/zones/z/dns_records', body: { name: 'n1' }, status: 200, by: 'x' };
  const judge = (state: ExpectedRecord['state'], records: readonly (typeof record)[], ledger = [creation]) =>
    auditZone({
      name: 'exemple.fr',
      expected: new Map([['n1', { state, id: 'r', content: '203.0.113.1' }]]),
      records,
      ledger,
    }).map(({ kind }) => kind);

  it('match their reported state, and any state if it is uncertain', () => {
    expect(
      [judge('there', [record]), judge('gone', []), judge('unsure', [record]), judge('unsure', [])].flat(),
    ).toEqual([]);
  });

  it.each<[string, ReturnType<typeof judge>]>([
    ['dit fait, absent de Cloudflare', judge('there', [])],
    ['dit fait, autre chez Cloudflare', judge('there', [{ ...record, content: '203.0.113.2' }])],
    ['dit supprimé ou refusé, présent chez Cloudflare', judge('gone', [record])],
    ['fait deux fois chez Cloudflare', judge('there', [record, record])],
    [
      'fait deux fois chez Cloudflare',
      judge(
        'unsure',
        [],
        [creation, { ...creation, path: '/zones/z/dns_records/batch', body: { posts: [{ name: 'n1' }] } } as never],
      ),
    ],
  ])('can be: %s', (kind, found) => {
    expect(found).toEqual([kind]);
  });
});

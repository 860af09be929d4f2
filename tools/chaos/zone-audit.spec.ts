import { describe, expect, it } from 'vitest';
import { auditZone, type DnsNote } from './zone-audit';

describe('records', () => {
  const record = { name: 'n1.exemple.fr', content: '203.0.113.1' };
  const asked = { method: 'POST', path: '/zones/z/dns_records', body: { name: 'n1' }, status: 200, by: 'x' };
  const judge = (is: DnsNote['is'], records: readonly (typeof record)[], ledger = [asked]) =>
    auditZone({
      name: 'exemple.fr',
      notes: new Map([['n1', { is, id: 'r', content: '203.0.113.1' }]]),
      records,
      ledger,
    }).map(({ what }) => what);

  it('are there as it was said, or as nobody knows', () => {
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
        [asked, { ...asked, path: '/zones/z/dns_records/batch', body: { posts: [{ name: 'n1' }] } } as never],
      ),
    ],
  ])('are %s', (what, found) => {
    expect(found).toEqual([what]);
  });
});

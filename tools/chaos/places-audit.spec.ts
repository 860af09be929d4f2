import { describe, expect, it } from '@jest/globals';
import { auditArchives } from './archives-audit';
import { columnOf, count } from './columns';
import { auditZone, type DnsNote } from './zone-audit';

const whole = { filename: 'a.wpress', size: 10, sha256: 'aa', fault: undefined };
const made = { id: '1', kind: 'backups.create', siteId: 's', filename: 'a.wpress', size: 10, sha256: null };
const stored = { filename: 'a.wpress', sha256: 'aa', object: whole };
const shelves = {
  hosts: new Map([['s', { there: [whole], listed: ['a.wpress'] }]]),
  store: [stored],
  made: [made, { ...made, kind: 'backups.download', sha256: 'aa' }],
  deleted: new Set<string>(),
};
const words = (more: Partial<Parameters<typeof auditArchives>[0]>) =>
  auditArchives({ ...shelves, ...more }).map(({ what }) => what);
const onHost = (there: readonly (typeof whole)[], listed: readonly string[]) => ({
  hosts: new Map([['s', { there, listed }]]),
});

describe('archives', () => {
  it('are as they are listed, or were deleted', () => {
    expect(words({})).toEqual([]);
    expect(words({ ...onHost([], []), deleted: new Set(['s a.wpress']) })).toEqual([]);
  });

  it.each<[string, Parameters<typeof words>[0]]>([
    ['archive listée, absente', { ...onHost([], ['a.wpress']), made: [] }],
    ['archive non listée', onHost([whole], [])],
    ['archive incomplète', onHost([{ ...whole, fault: 'cut' } as never], ['a.wpress'])],
    ['archive listée, absente', { store: [{ ...stored, object: undefined }], made: [] }],
    ['archive incomplète', { store: [{ ...stored, object: { ...whole, sha256: 'bb' } }], made: [] }],
    ['dit réussi, sans son effet', onHost([], [])],
    ['dit réussi, sans son effet', { made: [{ ...made, size: 11 }] }],
    ['dit réussi, sans son effet', { store: [] }],
  ])('are %s', (what, more) => {
    expect(words(more)).toEqual([what]);
  });
});

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

it('counts each finding in one column', () => {
  expect(columnOf('perdu')).toBe('perdues');
  const counted = Object.fromEntries(
    count([
      { what: 'perdu', id: '1' },
      { what: 'tout autre', id: '2' },
    ]),
  );
  expect([counted['perdues'], counted['autres'], counted['doublées']]).toEqual([1, 1, 0]);
});

import { describe, expect, it } from 'vitest';
import { aRecord, storedRecord } from '@vigie/testing/dns-records';
import type { ProviderRecord } from '../providers/provider';
import { lintZone } from './lint-zone';

let recordCount = 0;
const record = (type: string, name: string, content: string, fields: Partial<ProviderRecord> = {}): ProviderRecord => ({
  ...storedRecord(String((recordCount += 1)).padStart(32, '0'), aRecord(name, { type, content })),
  priority: type === 'MX' ? 10 : null,
  proxiable: false,
  ...fields,
});

const key = `v=DKIM1; k=rsa; p=${'A'.repeat(200)}`;
const sound = [
  record('A', 'mx', '203.0.113.1'),
  record('MX', '@', 'mx.exemple.fr'),
  record('TXT', '@', 'v=spf1 mx include:_spf.exemple.net ip4:203.0.113.0/24 ip6:2001:db8::/32 ~all'),
  record('TXT', '_dmarc', 'v=DMARC1; p=quarantine; rua=mailto:a@exemple.fr'),
  record('TXT', 's1._domainkey', key),
];
const rulesOf = (...records: ProviderRecord[]) => lintZone({ name: 'exemple.fr', records }).map(({ rule }) => rule);
const without = (name: string) => sound.filter((each) => !each.name.startsWith(name));

describe('a zone', () => {
  it('without a fault gets no finding', () => {
    expect(rulesOf(...sound)).toEqual([]);
    expect(rulesOf(record('A', '@', '203.0.113.1'))).toEqual([]);
  });

  it('that receives mail needs SPF, DMARC and DKIM', () => {
    const mail = [record('MX', '@', 'mx.autre.fr')];
    expect(rulesOf(...mail)).toEqual(['spf_missing', 'dmarc_missing', 'dkim_missing']);
    expect(rulesOf(record('MX', '@', '.'))).toEqual([]);
    expect(rulesOf(...without('_dmarc'), record('CNAME', '_dmarc', 'dmarc.autre.fr'))).toEqual([]);
  });

  it.each([
    ['v=spf1 +all', 'spf_open'],
    ['v=spf1 all', 'spf_open'],
    ['v=spf1 mx ?all', 'spf_neutral'],
    ['v=spf1 mx', 'spf_endless'],
    ['v=spf1 mx includ:x -all', 'spf_syntax'],
    [`v=spf1 ${Array.from({ length: 11 }, (_, n) => `include:s${n}.fr`).join(' ')} -all`, 'spf_lookups'],
  ])('with the SPF « %s » gets the finding %s', (content, rule) => {
    const others = sound.filter(({ content: text }) => !text.startsWith('v=spf1'));
    expect(rulesOf(...others, record('TXT', '@', content))).toEqual([rule]);
  });

  it('may have an SPF with IPv4 and IPv6 networks', () => {
    const others = sound.filter(({ content }) => !content.startsWith('v=spf1'));
    for (const term of ['a//64', 'mx/24//64', 'a/24', 'a:mx.exemple.fr/24//64', 'ip4:203.0.113.0/24']) {
      expect([term, rulesOf(...others, record('TXT', '@', `v=spf1 ${term} -all`))]).toEqual([term, []]);
    }
    for (const term of ['a///64', 'a/24/64', 'mx//64/24']) {
      expect([term, rulesOf(...others, record('TXT', '@', `v=spf1 ${term} -all`))]).toEqual([term, ['spf_syntax']]);
    }
  });

  it('may redirect its SPF', () => {
    const others = sound.filter(({ content }) => !content.startsWith('v=spf1'));
    expect(rulesOf(...others, record('TXT', '@', 'v=spf1 redirect=_spf.autre.fr'))).toEqual([]);
  });

  it('with two SPF or two DMARC gets a finding with their records', () => {
    const [two] = lintZone({ name: 'exemple.fr', records: [...sound, record('TXT', '@', 'v=spf1 -all')] });
    expect(two).toMatchObject({ rule: 'spf_two', severity: 'error', name: '@' });
    expect(two?.record_ids).toHaveLength(2);
    expect(rulesOf(...sound, record('TXT', '_dmarc', 'v=DMARC1; p=reject'))).toEqual(['dmarc_two']);
  });

  it.each([
    ['v=DMARC1; p=none', 'dmarc_none'],
    ['v=DMARC1; rua=mailto:a@b.fr', 'dmarc_syntax'],
    ['v=DMARC1; p=refuse', 'dmarc_syntax'],
  ])('with the DMARC « %s » gets the finding %s', (content, rule) => {
    expect(rulesOf(...without('_dmarc'), record('TXT', '_dmarc', content))).toEqual([rule]);
  });

  it('with a DMARC at the wrong name gets a finding', () => {
    expect(rulesOf(...sound, record('TXT', '@', 'v=DMARC1; p=none'))).toEqual(['dmarc_strayed']);
    expect(rulesOf(...sound, record('TXT', 'client.fr._report._dmarc', 'v=DMARC1'))).toEqual([]);
  });

  it.each([
    ['v=DKIM1; p=', 'dkim_revoked'],
    ['v=DKIM1; p=pas du base64', 'dkim_syntax'],
    ['v=DKIM1', 'dkim_syntax'],
  ])('with the DKIM « %s » gets the finding %s', (content, rule) => {
    expect(rulesOf(...sound, record('TXT', 's2._domainkey', content))).toEqual([rule]);
  });

  it('with an MX that leads nowhere gets the reason', () => {
    const mx = (target: string, ...others: ProviderRecord[]) => rulesOf(...sound, record('MX', '@', target), ...others);
    expect(mx('203.0.113.1')).toEqual(['mx_address']);
    expect(mx('absent.exemple.fr')).toEqual(['mx_unknown']);
    expect(mx('alias.exemple.fr', record('CNAME', 'alias', 'autre.fr'))).toEqual(['mx_cname']);
    expect(mx('www.exemple.fr', record('A', 'www', '203.0.113.1', { proxied: true }))).toEqual(['mx_proxied']);
    const proxied = record('A', 'www', '203.0.113.1', { proxied: true });
    const records = [...sound, record('MX', '@', 'www.exemple.fr'), proxied];
    expect(lintZone({ name: 'exemple.fr', records })).toMatchObject([{ severity: 'warning' }]);
    expect(mx('x.exemple.fr', record('A', '*', '203.0.113.1'))).toEqual([]);
    expect(mx('.')).toEqual(['mx_null_beside']);
  });

  it('with a duplicate record, or a CNAME beside others, gets a finding', () => {
    expect(rulesOf(record('A', 'www', '203.0.113.1'), record('A', 'www', '203.0.113.1'))).toEqual(['duplicate']);
    expect(rulesOf(record('CNAME', 'www', 'autre.fr'), record('TXT', 'www', 'x'))).toEqual(['cname_beside']);
    const lintBeside = (...[type, content]: [string, string]) =>
      lintZone({ name: 'exemple.fr', records: [record('CNAME', 'www', 'autre.fr'), record(type, 'www', content)] });
    expect(lintBeside('TXT', 'x')).toMatchObject([{ severity: 'warning' }]);
    expect(lintBeside('A', '203.0.113.1')).toMatchObject([{ severity: 'error' }]);
    const proxied = record('CNAME', 'www', 'autre.fr', { proxied: true });
    expect(rulesOf(proxied, record('TXT', 'www', 'x'))).toEqual([]);
    expect(rulesOf(record('CNAME', 'www', 'www.exemple.fr'))).toEqual(['cname_loop']);
    expect(rulesOf(record('CNAME', 'www', 'absent.exemple.fr'))).toEqual(['cname_dangling']);
  });
});

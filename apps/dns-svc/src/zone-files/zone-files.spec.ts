import { describe, expect, it } from 'vitest';
import { fileRefusal } from '@vigie/contracts/dns-changes';
import { aRecord } from '@vigie/testing/dns-records';
import { mayMention, parseZoneFile } from './parse-zone-file';
import { writeZoneFile } from './write-zone-file';

const read = (content: string) => parseZoneFile(content, 'exemple.fr');
const lines = (content: string) =>
  read(content).records.map(({ type, name, content: text, ttl, priority }) => [name, ttl, type, priority, text]);

describe('a zone file', () => {
  it('in BIND’s format is parsed', () => {
    const content = `
; une zone
$ORIGIN exemple.fr.
$TTL 1h30m
@   IN SOA ns1.exemple.fr. admin.exemple.fr. (
      2026112201 ; serial
      10800 3600 604800 300 )
    IN NS  ns1
    300 IN MX 10 mx ; le courrier
www IN 600 A 203.0.113.1
    A 203.0.113.2
$ORIGIN boutique.exemple.fr.
api CNAME @
*.x IN AAAA 2001:DB8::1
`;
    expect(lines(content)).toEqual([
      ['exemple.fr', 5_400, 'NS', null, 'ns1.exemple.fr'],
      ['exemple.fr', 300, 'MX', 10, 'mx.exemple.fr'],
      ['www.exemple.fr', 600, 'A', null, '203.0.113.1'],
      ['www.exemple.fr', 5_400, 'A', null, '203.0.113.2'],
      ['api.boutique.exemple.fr', 5_400, 'CNAME', null, 'boutique.exemple.fr'],
      ['*.x.boutique.exemple.fr', 5_400, 'AAAA', null, '2001:db8::1'],
    ]);
    expect(read(content).problems).toEqual([]);
    expect(read(content).records[1]?.comment).toBe('le courrier');
  });

  it('that begins at the root is parsed', () => {
    const content = `
$ORIGIN .
$TTL 300
exemple.fr IN SOA ns1.exemple.fr. admin.exemple.fr. ( 1 2 3 4 5 )
           MX 10 mx.exemple.fr
www.exemple.fr CNAME exemple.fr
$ORIGIN exemple.fr.
mx A 203.0.113.1
`;
    expect(lines(content)).toEqual([
      ['exemple.fr', 300, 'MX', 10, 'mx.exemple.fr'],
      ['www.exemple.fr', 300, 'CNAME', null, 'exemple.fr'],
      ['mx.exemple.fr', 300, 'A', null, '203.0.113.1'],
    ]);
    expect(read(content).problems).toEqual([]);
  });

  it('may concern the names of its skipped lines, or any other name when a line has none', () => {
    const mentionedIn = (content: string) => {
      const isMentioned = mayMention(read(content));
      return ['@', 'a', 'b', 'c'].filter((name) => isMentioned(name === '@' ? 'exemple.fr' : `${name}.exemple.fr`));
    };
    expect(mentionedIn('a A 203.0.113.1\nb A 203.0.113.1\n')).toEqual([]);
    expect(mentionedIn('a A 203.0.113.1\nb A 203.0.113.256\n  MX mx\n')).toEqual(['b']);
    expect(mentionedIn('a A 203.0.113.1\n$INCLUDE ailleurs\n')).toEqual(['@', 'b', 'c']);
    expect(mentionedIn('a A 203.0.113.1\na A x\nb.autre.fr. A 203.0.113.1\n')).toEqual(['@', 'a', 'b', 'c']);
  });

  it('keeps quoted text, over several lines too', () => {
    const text = 'a TXT ( "v=spf1; include:x" ; pas dedans\n "\\"fin\\"" )\nb TXT nu\n';
    expect(lines(text).map((line) => line[4])).toEqual(['v=spf1; include:x"fin"', 'nu']);
  });

  it('reads the fields of SRV and CAA records', () => {
    const text = '_sip._tcp SRV 1 2 5060 sip.autre.fr.\n@ CAA 0 issue "letsencrypt.org"\n@ CAA 0 issue bare.org\n';
    expect(lines(text).map(([, , , priority, content]) => [priority, content])).toEqual([
      [1, '2 5060 sip.autre.fr'],
      [null, '0 issue "letsencrypt.org"'],
      [null, '0 issue "bare.org"'],
    ]);
  });

  it('takes the TTL of the last $TTL, else of the last line that has one', () => {
    const text = 'a 300 A 203.0.113.1\nb 60 A 203.0.113.1\nc A 203.0.113.1\n';
    expect(lines(text).map((line) => line[1])).toEqual([300, 60, 60]);
    const directed = `$TTL 600\n${text}$TTL 1200\nd A 203.0.113.1\n`;
    expect(lines(directed).map((line) => line[1])).toEqual([300, 60, 600, 1_200]);
  });

  it('reads full names with accents', () => {
    const { records, problems } = parseZoneFile('été.café.fr. CNAME Crème.fr.\n', 'xn--caf-dma.fr');
    expect([records, problems]).toMatchObject([
      [{ name: 'xn--t-9fab.xn--caf-dma.fr', content: 'xn--crme-6oa.fr' }],
      [],
    ]);
  });

  it('is written with a dot after each target name', () => {
    const records = ['PTR', 'DNAME', 'CNAME'].map((type) => aRecord('a', { type, content: 'b.fr' }));
    const text = writeZoneFile({ name: 'exemple.fr', name_servers: [] }, records, new Date());
    expect(text.match(/b\.fr\.$/gm)).toHaveLength(3);
  });

  it('limits TTLs to the range that Cloudflare accepts', () => {
    expect(lines('a 1 A 203.0.113.1\nb 5 A 203.0.113.1\nc 1w A 203.0.113.1\n').map((line) => line[1])).toEqual([
      1, 60, 86_400,
    ]);
  });

  it('reports why each line is skipped, and reads the others', () => {
    const text = `  A 203.0.113.1
$GENERATE 1-10 h$ A 203.0.113.$
a CH TXT x
b
c LOC 1 2 3
d.autre.fr. A 203.0.113.1
e A 203.0.113.256
f MX mx
g SRV 1 2 sip
h A 203.0.113.1 203.0.113.2
i A 203.0.113.9
`;
    const { records, problems } = read(text);
    expect(records.map(({ name }) => name)).toEqual(['i.exemple.fr']);
    expect(problems.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(problems.every(({ message }) => message.length > 10)).toBe(true);
  });

  it('with three thousand records can be imported again, and a larger one is refused', () => {
    const records = Array.from({ length: 3_000 }, (_, n) => {
      const content = `v=spf1 include:_spf.exemple.net "${n}" ${'x'.repeat(70)}`;
      return aRecord(`selecteur${n}._domainkey`, { type: 'TXT', content });
    });
    const text = writeZoneFile({ name: 'exemple.fr', name_servers: [] }, records, new Date());
    expect([text.length > 300_000, fileRefusal(text)]).toEqual([true, undefined]);
    expect(read(text)).toEqual({ records, problems: [] });
    for (const large of ['x'.repeat(500_001), '"'.repeat(250_000), 'é'.repeat(250_000)]) {
      expect(fileRefusal(large)).toContain('500\u00a0Ko au plus');
    }
  });

  it('with hostile text is parsed in time', () => {
    const hostile = [
      '('.repeat(499_000),
      '"'.repeat(249_000),
      '\\'.repeat(249_000),
      'a '.repeat(249_000),
      '1'.repeat(499_000),
      `a ${'1'.repeat(40)}x A 1.2.3.4`,
      `a ${'1m'.repeat(20)}x A 1.2.3.4`,
      `a LOC ; ${' '.repeat(490_000)}x`,
    ];
    for (const text of hostile) expect(read(text).records).toEqual([]);
  });

  it('reads Cloudflare’s tags only at the start of a long comment', () => {
    const far = `a A 203.0.113.1 ; x${' '.repeat(180_000)}cf_tags=cf-proxied:true\n`;
    expect(read(far).records).toMatchObject([{ comment: 'x', proxied: false }]);
    const long = parseZoneFile(`a A 203.0.113.1 ; ${'x'.repeat(99)}🦊 fin\n`, 'exemple.fr', 100);
    expect(long.records[0]?.comment).toBe('x'.repeat(99));
    const odd = 'a A 203.0.113.1 ; le\tsite\u200b \0\n';
    expect(read(odd)).toMatchObject({ records: [{ comment: 'le site' }], problems: [] });
    const near = 'a 1 A 203.0.113.1 ; le site cf_tags=cf-proxied:true\n';
    expect(read(near).records).toMatchObject([{ comment: 'le site', proxied: true }]);
  });

  it('is parsed back as it was written', () => {
    const records = [
      aRecord('@', { proxied: true, ttl: 1, comment: 'le site' }),
      aRecord('a', { type: 'TXT', content: `"guillemets" et \\ barre; ${'é'.repeat(200)}` }),
      aRecord('@', { type: 'MX', content: 'mx.exemple.fr', priority: 0 }),
      aRecord('b', { type: 'MX', content: '.', priority: 0 }),
      aRecord('_x._tcp', { type: 'SRV', content: '0 443 www.exemple.fr', priority: 1 }),
      aRecord('@', { type: 'CAA', content: '0 issue "letsencrypt.org; accounturi=https://x"' }),
      aRecord('*', { type: 'CNAME', content: 'exemple.fr' }),
    ];
    const zone = { name: 'exemple.fr', name_servers: [] };
    expect(read(writeZoneFile(zone, records, new Date()))).toEqual({ records, problems: [] });
  });
});

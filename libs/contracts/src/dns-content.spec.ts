import { describe, expect, it } from 'vitest';
import { contentRefusal, parseCaa, parseSrv } from './dns-content';
import { asciiName, isDomain, isRecordName } from './domain-name';

describe('a name', () => {
  it('is converted to lower-case punycode without its final dot', () => {
    expect(asciiName(' Exemple.FR. ')).toBe('exemple.fr');
    expect(asciiName('Café.fr')).toBe('xn--caf-dma.fr');
    expect(asciiName('caf\u0065\u0301.fr')).toBe('xn--caf-dma.fr');
    expect(asciiName('_dmarc')).toBe('_dmarc');
    expect(asciiName('1.2')).toBe('1.2');
  });

  it('with the syntax of a URL is refused', () => {
    for (const text of ['é/../x.fr', 'é@x.fr', 'é x.fr', `${'a.'.repeat(130)}fr`])
      expect(asciiName(text)).toBeUndefined();
  });

  it('of a zone has at least two labels and is not an address', () => {
    for (const name of ['exemple.fr', 'a-b.co.uk', 'xn--caf-dma.fr']) expect(isDomain(name)).toBe(true);
    for (const name of ['fr', '203.0.113.1', '-a.fr', 'a-.fr', 'a..fr', 'a_b.fr', '*.fr', '', `${'a'.repeat(64)}.fr`]) {
      expect([name, isDomain(name)]).toEqual([name, false]);
    }
  });

  it('of a record may begin with a star or hold underscores', () => {
    for (const name of ['*', '*.boutique', '_sip._tcp', 'www']) expect(isRecordName(name)).toBe(true);
    for (const name of ['a.*', '**', 'a b', 'a/b', '', 'a..b', '-x']) expect(isRecordName(name)).toBe(false);
  });
});

describe('the content of a record', () => {
  it('of an SRV record is parsed with or without its priority', () => {
    expect(parseSrv('10 5 5060 sip.exemple.fr.')).toEqual({
      priority: 10,
      weight: 5,
      port: 5060,
      target: 'sip.exemple.fr',
    });
    expect(parseSrv('5\t5060 SIP.exemple.fr', 3)).toEqual({
      priority: 3,
      weight: 5,
      port: 5060,
      target: 'sip.exemple.fr',
    });
    expect(parseSrv('0 0 0 .')?.target).toBe('.');
    for (const text of [
      '5060 sip.exemple.fr',
      '1 2 3 4 sip.fr',
      '5 70000 sip.exemple.fr',
      '5 -1 sip.exemple.fr',
      '5 5060 sip',
      '',
    ]) {
      expect([text, parseSrv(text)]).toEqual([text, undefined]);
    }
  });

  it('of a CAA record is parsed with or without quotes', () => {
    const data = { flags: 0, tag: 'issue', value: 'letsencrypt.org' };
    expect(parseCaa('0 issue "letsencrypt.org"')).toEqual(data);
    expect(parseCaa('0 ISSUE letsencrypt.org')).toEqual(data);
    expect(parseCaa('128 issuewild ";"')).toEqual({ flags: 128, tag: 'issuewild', value: ';' });
    expect(parseCaa('0 issue ""')).toEqual({ flags: 0, tag: 'issue', value: '' });
    for (const text of ['issue x', '256 issue x', '0 autre x', '0 issue', '0 issue "a" "b"', '']) {
      expect([text, parseCaa(text)]).toEqual([text, undefined]);
    }
  });

  it('must fit the type of the record', () => {
    const good = [
      ['A', '203.0.113.1'],
      ['AAAA', '2001:db8::1'],
      ['CNAME', '@'],
      ['CNAME', '_acme.exemple.fr.'],
      ['MX', '.'],
      ['NS', 'ns1.exemple.fr'],
      ['TXT', 'v=spf1 -all é'],
    ] as const;
    const bad = [
      ['A', '2001:db8::1'],
      ['A', '203.0.113.256'],
      ['AAAA', '203.0.113.1'],
      ['CNAME', 'localhost'],
      ['MX', '10 mx.exemple.fr'],
      ['NS', '203.0.113.1'],
      ['TXT', 'a\u0000b'],
      ['TXT', 'x'.repeat(4_097)],
    ] as const;
    for (const [type, text] of good) expect([type, text, contentRefusal(type, text)]).toEqual([type, text, undefined]);
    for (const [type, text] of bad)
      expect([type, text, typeof contentRefusal(type, text)]).toEqual([type, text, 'string']);
  });
});

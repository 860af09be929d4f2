import { describe, expect, it } from 'vitest';
import { recordTypes } from '@vigie/contracts/dns-content';
import { blank, changesOf, check, contentHints, draftOf, settle, ttlChoices, valuesOf } from './values';

const typed = { ...blank, name: 'www', content: '203.0.113.10' };

describe('the form of a record', () => {
  it('asks for a name and a content', () => {
    const sentence = 'Renseignez un nom et un contenu.';
    expect(check({ ...blank, name: ' ' })).toEqual({ name: sentence, content: sentence });
    expect(check(typed)).toEqual({});
  });

  it.each(recordTypes)('takes its own example as a content of %s, and says what fits otherwise', (type) => {
    expect(check({ ...typed, type, content: contentHints[type].example })).toEqual({});
    expect(check({ ...typed, type, content: '\u0007' }).content).toContain(type);
  });

  it('has a priority for MX and SRV only, of 0 to 65535', () => {
    const mx = { ...typed, type: 'MX' as const, content: 'mx.exemple.fr' };
    expect(draftOf({ ...mx, priority: '0' })).toMatchObject({ priority: 0 });
    expect(check({ ...mx, priority: '65535' })).toEqual({});
    for (const priority of ['65536', '-1', '', 'haute', '1.5']) {
      expect(check({ ...mx, priority })).toEqual({ priority: 'La priorité est un nombre de 0 à 65535.' });
    }
    expect(draftOf({ ...typed, priority: 'rien' })).toMatchObject({ priority: null });
  });

  it('proxies A, AAAA and CNAME only, with an automatic TTL', () => {
    expect(draftOf({ ...typed, proxied: true })).toMatchObject({ proxied: true, ttl: 1 });
    expect(draftOf({ ...typed, type: 'TXT', proxied: true })).toMatchObject({ proxied: false, ttl: 3600 });
  });

  it('gives a record that leaves the proxy a TTL of its own', () => {
    const proxied = { ...typed, proxied: true, ttl: '1' };
    expect(settle(proxied, { proxied: false }).ttl).toBe('3600');
    expect(settle(proxied, { type: 'TXT' }).ttl).toBe('3600');
    expect(settle({ ...typed, ttl: '1' }, { name: 'b' }).ttl).toBe('1');
  });

  it('offers the TTLs there are, the one that is stored among them', () => {
    const labels = (ttl: string, values = { ...typed, ttl }) => ttlChoices(ttl, values).map(({ label }) => label);
    const stored = ttlChoices('3600', typed).map(({ value }) => Number(value));
    expect(stored).toEqual([60, 300, 600, 1_800, 3_600, 7_200, 86_400]);
    expect(labels('120')[0]).toBe('120\u00a0s');
    expect(labels('1')[0]).toBe('Auto');
    expect(labels('3600', { ...typed, proxied: true })).toEqual(['Auto']);
  });

  it('sends only what differs from what was loaded', () => {
    const mx = {
      type: 'MX',
      display_name: '@',
      content: 'mx.exemple.fr',
      ttl: 300,
      priority: 5,
      proxied: false,
      comment: null,
    };
    const loaded = valuesOf(mx);
    expect(changesOf(loaded, { ...loaded, content: 'mx.exemple.fr ' })).toEqual({});
    expect(changesOf(loaded, { ...loaded, ttl: '600' })).toEqual({ ttl: 600 });
    expect(changesOf(loaded, { ...loaded, type: 'TXT', content: 'texte' })).toEqual({
      type: 'TXT',
      content: 'texte',
      priority: null,
    });
  });
});

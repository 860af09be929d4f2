import { describe, expect, it } from 'vitest';
import { recordTypes } from '@vigie/contracts/dns-content';
import { blank, changesOf, findErrors, contentHints, draftOf, applyChanges, ttlChoices, valuesOf } from './values';

const typed = { ...blank, name: 'www', content: '203.0.113.10' };

describe('the form of a record', () => {
  it('asks for a name and a content', () => {
    const sentence = 'Renseignez un nom et un contenu.';
    expect(findErrors({ ...blank, name: ' ' })).toEqual({ name: sentence, content: sentence });
    expect(findErrors(typed)).toEqual({});
  });

  it.each(recordTypes)('accepts its own example as the content of %s, and names the type in an error', (type) => {
    expect(findErrors({ ...typed, type, content: contentHints[type].example })).toEqual({});
    expect(findErrors({ ...typed, type, content: '\u0007' }).content).toContain(type);
  });

  it('accepts a priority from 0 to 65535, for MX and SRV only', () => {
    const mx = { ...typed, type: 'MX' as const, content: 'mx.exemple.fr' };
    expect(draftOf({ ...mx, priority: '0' })).toMatchObject({ priority: 0 });
    expect(findErrors({ ...mx, priority: '65535' })).toEqual({});
    for (const priority of ['65536', '-1', '', 'haute', '1.5']) {
      expect(findErrors({ ...mx, priority })).toEqual({ priority: 'La priorité est un nombre de 0 à 65535.' });
    }
    expect(draftOf({ ...typed, priority: 'rien' })).toMatchObject({ priority: null });
  });

  it('proxies only A, AAAA and CNAME, with an automatic TTL', () => {
    expect(draftOf({ ...typed, proxied: true })).toMatchObject({ proxied: true, ttl: 1 });
    expect(draftOf({ ...typed, type: 'TXT', proxied: true })).toMatchObject({ proxied: false, ttl: 3600 });
  });

  it('gives a record the default TTL when it leaves the proxy', () => {
    const proxied = { ...typed, proxied: true, ttl: '1' };
    expect(applyChanges(proxied, { proxied: false }).ttl).toBe('3600');
    expect(applyChanges(proxied, { type: 'TXT' }).ttl).toBe('3600');
    expect(applyChanges({ ...typed, ttl: '1' }, { name: 'b' }).ttl).toBe('1');
  });

  it('offers the TTLs of the specification and the stored one', () => {
    const labels = (ttl: string, values = { ...typed, ttl }) => ttlChoices(ttl, values).map(({ label }) => label);
    const stored = ttlChoices('3600', typed).map(({ value }) => Number(value));
    expect(stored).toEqual([60, 300, 600, 1_800, 3_600, 7_200, 86_400]);
    expect(labels('120')[0]).toBe('120\u00a0s');
    expect(labels('1')[0]).toBe('Auto');
    expect(labels('3600', { ...typed, proxied: true })).toEqual(['Auto']);
  });

  it('sends only the fields that differ from the loaded record', () => {
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

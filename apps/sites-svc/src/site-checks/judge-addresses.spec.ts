import { describe, expect, it } from 'vitest';
import { judgeAddresses, type KnownAddresses, type SeenAddresses } from './judge-addresses';

const now = new Date('2026-03-03T12:00:00Z');
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);

const stored = (fields: Partial<KnownAddresses> = {}): KnownAddresses => ({
  host: 'boutique.fr',
  known: ['192.0.2.1', '2001:db8::1'],
  current: ['192.0.2.1', '2001:db8::1'],
  previous: [],
  changed_at: null,
  learned_at: daysAgo(3),
  ...fields,
});
const seen = (addresses: string[], fields: Partial<SeenAddresses> = {}): SeenAddresses => ({
  host: 'boutique.fr',
  addresses,
  isGood: true,
  isOfServer: () => false,
  ...fields,
});

describe('the addresses of a site', () => {
  it('are learned from a WordPress that answers', () => {
    expect(judgeAddresses(undefined, seen(['192.0.2.1']), now)).toEqual({
      verdict: 'right',
      next: stored({ known: ['192.0.2.1'], current: ['192.0.2.1'], learned_at: now }),
    });
    for (const unsure of [seen(['192.0.2.1'], { isGood: false }), seen([])]) {
      expect(judgeAddresses(undefined, unsure, now)).toEqual({ verdict: 'none', next: undefined });
    }
  });

  it('are right as long as one of them is known', () => {
    expect(judgeAddresses(stored(), seen(['192.0.2.1']), now)).toEqual({
      verdict: 'right',
      next: stored({ current: ['192.0.2.1'] }),
    });
    const { verdict, next } = judgeAddresses(stored(), seen(['192.0.2.1', '192.0.2.9']), now);
    expect([verdict, next?.known[0], next?.learned_at, next?.changed_at]).toEqual([
      'right',
      '192.0.2.9',
      daysAgo(3),
      null,
    ]);
    expect(judgeAddresses(stored(), seen(['192.0.2.1', '192.0.2.9'], { isGood: false }), now).next?.known).toHaveLength(
      2,
    );
  });

  it('are elsewhere where none of them is, whether something answers there or not', () => {
    const next = stored({ current: ['198.51.100.7'], previous: ['192.0.2.1', '2001:db8::1'], changed_at: now });
    for (const isGood of [true, false]) {
      expect(judgeAddresses(stored(), seen(['198.51.100.7'], { isGood }), now)).toEqual({ verdict: 'elsewhere', next });
    }
    // The change was at the first of these visits.
    expect(judgeAddresses(next, seen(['198.51.100.7']), daysAgo(-1))).toEqual({ verdict: 'elsewhere', next });
    expect(judgeAddresses(next, seen(['192.0.2.1']), daysAgo(-1))).toMatchObject({
      verdict: 'right',
      next: { previous: ['198.51.100.7'], changed_at: daysAgo(-1) },
    });
  });

  it('are still learned where they were learned lately, as those of a large pool', () => {
    let known = stored({ learned_at: daysAgo(0.5) });
    for (let at = 0; at < 100; at += 1) {
      const { verdict, next = known } = judgeAddresses(known, seen([`198.51.100.${at}`]), now);
      expect(verdict).toBe('right');
      known = next;
    }
    expect(known.known).toHaveLength(32);
    expect(judgeAddresses(known, seen(['203.0.113.1'], { isGood: false }), now).verdict).toBe('none');
  });

  it('are right behind Cloudflare where they were before, and on the own server, and what was known stays so', () => {
    const proxied = stored({ known: ['104.21.9.9', '192.0.2.1'], current: ['104.21.9.9'] });
    for (const [address, isOfServer] of [
      ['104.21.3.4', false],
      ['2606:4700::1', false],
      ['203.0.113.5', true],
    ] as const) {
      const { verdict, next } = judgeAddresses(proxied, seen([address], { isOfServer: () => isOfServer }), now);
      expect(verdict).toBe('right');
      expect(next).toMatchObject({
        known: [address, '104.21.9.9', '192.0.2.1'],
        changed_at: now,
        learned_at: daysAgo(3),
      });
    }
    expect(judgeAddresses(stored(), seen(['104.21.3.4']), now).verdict).toBe('elsewhere');
  });

  it('are no matter of a name that has none by now, which takes nothing from what was known', () => {
    expect(judgeAddresses(stored(), seen([]), now)).toEqual({ verdict: 'none', next: undefined });
  });

  it('are learned anew of another name', () => {
    const other = seen(['198.51.100.7'], { host: 'autre.fr' });
    expect(judgeAddresses(stored(), other, now)).toMatchObject({
      verdict: 'right',
      next: { host: 'autre.fr', known: ['198.51.100.7'], changed_at: null },
    });
    expect(judgeAddresses(stored(), { ...other, isGood: false }, now).verdict).toBe('none');
  });
});

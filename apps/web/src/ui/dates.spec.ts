import { describe, expect, it } from 'vitest';
import { formatAge, formatAgo, formatMs, formatSecondsAgo, formatWait } from './dates';

const now = new Date('2026-02-01T12:00:00Z');
const ago = (date: string) => formatAgo(new Date(date), now).replaceAll(/\s/gu, ' ');

describe('spellAgo', () => {
  it('chooses the unit by the age', () => {
    expect(ago('2026-02-01T11:57:00Z')).toBe('il y a 3 min');
    expect(ago('2026-02-01T10:00:00Z')).toBe('il y a 2 h');
    expect(ago('2026-01-31T12:00:00Z')).toBe('il y a 1 jour');
    expect(ago('2026-01-12T12:00:00Z')).toBe('il y a 20 jours');
    expect(ago('2025-11-01T12:00:00Z')).toBe('il y a 3 mois');
    expect(ago('2023-02-01T12:00:00Z')).toBe('il y a 3 ans');
  });

  it('rounds up to the next unit instead of 60 minutes', () => {
    expect(ago('2026-02-01T11:00:20Z')).toBe('il y a 1 h');
  });

  it('takes a date slightly in the future for now', () => {
    expect(ago('2026-02-01T12:00:05Z')).toBe('à l’instant');
  });
});

it('gives an age that "depuis" can precede', () => {
  const age = (date: string) => formatAge(new Date(date), now).replaceAll(/\s/gu, ' ');
  expect(age('2026-02-01T11:59:48Z')).toBe('moins d’une minute');
  expect(age('2026-02-01T11:44:00Z')).toBe('16 min');
  expect(age('2026-02-01T09:00:00Z')).toBe('3 h');
  expect(age('2026-01-31T12:00:00Z')).toBe('1 jour');
  expect(age('2025-11-01T12:00:00Z')).toBe('3 mois');
});

describe('spellSecondsAgo', () => {
  it('counts seconds within the last minute', () => {
    const seconds = (date: string) => formatSecondsAgo(new Date(date), now).replaceAll(/\s/gu, ' ');
    expect(seconds('2026-02-01T11:59:48Z')).toBe('il y a 12 s');
    expect(seconds('2026-02-01T11:59:57Z')).toBe('à l’instant');
    expect(seconds('2026-02-01T12:00:03Z')).toBe('à l’instant');
    expect(seconds('2026-02-01T11:58:58Z')).toBe('il y a 1 min');
  });
});

it('formats minutes and seconds', () => {
  expect(formatWait(872)).toBe('14\u00a0min 32\u00a0s');
  expect(formatWait(60)).toBe('1\u00a0min 0\u00a0s');
  expect(formatWait(9)).toBe('9\u00a0s');
});

it('formats the time of an answer', () => {
  expect(formatMs(84)).toBe('84\u00a0ms');
  expect(formatMs(1_240)).toBe('1,2\u00a0s');
});

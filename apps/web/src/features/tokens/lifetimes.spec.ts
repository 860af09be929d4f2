import { expect, it } from 'vitest';
import { endOf } from './lifetimes';

const now = new Date('2026-11-28T12:00:00Z');

it('ends a token after some days, or at the end of a day', () => {
  expect(endOf({ lifetime: '30', date: '' }, now)).toBe('2026-12-28T12:00:00.000Z');
  expect(endOf({ lifetime: 'date', date: '2027-01-15' }, now)).toBe(new Date('2027-01-15T23:59:59').toISOString());
  expect(endOf({ lifetime: 'date', date: '' }, now)).toBe('');
});

import { expect, it } from 'vitest';
import { describeBeats, drawBeats } from './Heartbeat';

const spaced = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ');

it('draws the newest check at the right, and leaves the ticks of a new site empty', () => {
  const ticks = drawBeats([{ state: 'up' }, { state: 'down', title: 'HTTP 502' }], 6, 20);
  expect(ticks).toHaveLength(30);
  expect(ticks[27]?.fill).toBe('var(--neutral-tint)');
  expect(ticks[28]).toMatchObject({ x: 168, y: 0, height: 20, fill: 'var(--ok-dot)' });
  expect(ticks[29]).toMatchObject({ x: 174, y: 10, height: 10, fill: 'var(--danger-dot)', title: 'HTTP 502' });
});

it('gives each state a shape of its own', () => {
  const states = ['up', 'down', 'excused', 'unsure'] as const;
  const ticks = drawBeats(
    states.map((state) => ({ state })),
    4,
    16,
  ).slice(-4);
  expect(new Set(ticks.map(({ y, height }) => `${y} ${height}`)).size).toBe(4);
  expect(ticks.every(({ width }) => width < 4)).toBe(true);
});

it('draws no more than it has room for', () => {
  expect(
    drawBeats(
      Array.from({ length: 40 }, () => ({ state: 'up' as const })),
      6,
      20,
    ),
  ).toHaveLength(30);
});

it.each([
  [[], 'Aucun contrôle encore'],
  [['up'], '1 contrôle : 1 réussi ; le dernier a réussi'],
  [
    ['up', 'down', 'excused', 'unsure', 'up', 'down'],
    '6 contrôles : 2 réussis, 2 échecs, 2 qui ne comptent pas ; le dernier a échoué',
  ],
  [['down', 'unsure'], '2 contrôles : 0 réussi, 1 échec, 1 qui ne compte pas ; le dernier ne compte pas'],
] as const)('says %j in words', (beats, sentence) => {
  expect(spaced(describeBeats(beats))).toBe(sentence);
});

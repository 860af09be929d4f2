import { describe, expect, it } from 'vitest';
import { drawLoads, formatLoads } from './Sparkline';

const hour = (...last: (number | null)[]) => [...Array<null>(30 - last.length).fill(null), ...last];

describe('a line of loads', () => {
  it('is absent when nothing was measured', () => {
    expect(drawLoads(hour(), 2)).toBeUndefined();
    expect(drawLoads([], null)).toBeUndefined();
  });

  it('has a gap where a measure is missing, and a point for a single measure', () => {
    const { runs, last } = drawLoads(hour(0, null, 1, 2), 2) ?? { runs: [] };
    expect(runs).toEqual(['M84.5 22h0', 'M90.8 12h0L94 2']);
    expect(last).toEqual({ x: 94, y: 2, isNow: true });
  });

  it('tells whether its last point is recent', () => {
    expect(drawLoads(hour(1, null, null), 1)?.last.isNow).toBe(false);
    expect(drawLoads(hour(1, null), 1)?.last.isNow).toBe(true);
  });

  it('scales to the number of cores, and shows the threshold once a load reaches it', () => {
    expect(drawLoads(hour(0.02, 0.04), 4)).toMatchObject({ last: { y: 21.8 }, threshold: undefined });
    expect(drawLoads(hour(1, 16), 4)).toMatchObject({ last: { y: 2 }, threshold: 2 });
    expect(drawLoads(hour(8), null)).toMatchObject({ threshold: 12 });
  });
});

it.each([
  [hour(0.1, null, 2.44), 'charge\u00a0: de 0,1 à 2,4 en une heure'],
  [hour(0.5, 0.52), 'charge\u00a0: 0,5 en une heure'],
  [hour(12), 'charge\u00a0: 12 en une heure'],
])('formats the range of the loads', (loads, sentence) => {
  expect(formatLoads(loads)).toBe(sentence);
});

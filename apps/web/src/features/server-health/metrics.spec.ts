import { describe, expect, it } from 'vitest';
import { describeValues, lonePoints, metrics, valuesOf } from './metrics';

const at = (minute: number) => new Date(60_000 * minute).toISOString();
const point = (minute: number, load: number | null) => ({ at: at(minute), load, mem_pct: 40, disk_pct: 50, procs: 90 });
const history = {
  from: at(0),
  to: at(60),
  step_seconds: 60,
  points: [point(0, 1), point(1, 2), point(3, 1), point(9, null), point(10, 0.5)],
};
const [load, memory] = metrics;
const plain = (text: string | undefined) => text?.replaceAll(/[\u00a0\u202f]/g, ' ');

describe('the curve of a server', () => {
  it('has a gap where nothing was measured, not where one probe was late', () => {
    const { times, values } = valuesOf(history, 'load');
    expect(times).toEqual([0, 60, 180, 240, 540, 600]);
    expect(values).toEqual([1, 2, 1, null, null, 0.5]);
    expect(lonePoints(values)).toEqual([5]);
  });

  it('is said in one sentence', () => {
    expect(plain(load && describeValues(load, [1, null, 2.345, 0.5], '24 h'))).toBe(
      'Charge, sur 24 h : de 0,5 à 2,35, dernière mesure 0,5',
    );
    expect(plain(memory && describeValues(memory, [40, 40], '1 h'))).toBe(
      'Mémoire, sur 1 h : 40 %, dernière mesure 40 %',
    );
    expect(plain(memory && describeValues(memory, [null], '1 h'))).toBe('Mémoire, sur 1 h : aucune mesure');
  });
});

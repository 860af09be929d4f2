import { describe, expect, it } from 'vitest';
import { cellAt, layOut, moveFrom } from './fleet-layout';

const box = { width: 524, height: 400, headHeight: 24 };
const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);

describe('the picture', () => {
  it.each([
    ['thirteen sites of two servers', [7, 6], 36, 2],
    ['a hundred sites of two servers', [50, 50], 36, 2],
    ['six hundred sites of thirty servers', Array<number>(30).fill(20), 8, 30],
    ['a thousand sites of a thousand servers', Array<number>(1_000).fill(1), 8, 0],
    ['five thousand sites of one server', [5_000], 6, 1],
  ])('of %s fits with the largest cells', (_, counts, size, heads) => {
    const layout = layOut(counts, box);
    expect([layout.size.height, layout.heads.length]).toEqual([size, heads]);
    expect(layout.cells).toHaveLength(sum(counts));
    expect(layout.cells.every(({ x }) => x >= 0 && x + layout.size.width <= box.width)).toBe(true);
    expect(Math.max(...layout.cells.map(({ y }) => y + layout.size.height))).toBeLessThanOrEqual(layout.height);
    expect(new Set(layout.cells.map(({ x, y }) => `${x} ${y}`)).size).toBe(sum(counts));
  });

  it('of six hundred sites on a phone has no heads, which a finger needs large', () => {
    const layout = layOut(Array<number>(12).fill(50), { width: 296, height: 296, headHeight: 44 });
    expect([layout.size.height, layout.heads]).toEqual([8, []]);
  });

  it('of ten thousand sites scrolls with the smallest cells', () => {
    const layout = layOut(Array<number>(200).fill(50), box);
    expect([layout.size.height, layout.height > box.height]).toEqual([6, true]);
  });
});

describe('a cell', () => {
  // Ten cells of 40 pixels in a row.
  const layout = layOut([13, 3], { ...box, width: 436, height: 200 });

  it('is found by the keys', () => {
    expect([layout.size.width, moveFrom(layout, 0, 'x')]).toEqual([40, undefined]);
    const moves = ['ArrowRight', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'End', 'ArrowRight', 'ArrowLeft', 'Home'];
    const visited: number[] = [];
    for (const key of moves) visited.push(moveFrom(layout, visited.at(-1) ?? 0, key) ?? -1);
    expect(visited).toEqual([1, 11, 14, 11, 15, 15, 14, 0]);
  });

  it('is found at a point, and a little beside it for a finger', () => {
    const { x, y } = layout.cells[11] ?? { x: 0, y: 0 };
    expect(cellAt(layout, x + 5, y + 5, 0)).toBe(11);
    expect(cellAt(layout, x + 42, y + 5, 0)).toBeUndefined();
    expect(cellAt(layout, x + 41, y + 5, 8)).toBe(11);
  });
});

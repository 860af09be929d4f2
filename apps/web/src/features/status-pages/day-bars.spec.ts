import { expect, it } from 'vitest';
import { drawDays } from './day-bars';

it('draws each day as high as it was good, in one path for each level', () => {
  expect(drawDays([100, null, 99.9, 100, 94.9])).toEqual([
    { name: 'good', fill: 'var(--ok-dot)', path: 'M0 0h3.4v32h-3.4zM15 0h3.4v32h-3.4z' },
    { name: 'shaken', fill: 'var(--warn-dot)', path: 'M10 8h3.4v24h-3.4z' },
    { name: 'bad', fill: 'var(--danger-dot)', path: 'M20 16h3.4v16h-3.4z' },
    { name: 'none', fill: 'var(--neutral-tint)', path: 'M5 24h3.4v8h-3.4z' },
  ]);
});

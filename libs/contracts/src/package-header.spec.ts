import { expect, it } from 'vitest';
import { readHeader } from './package-header';

it('reads a header as WordPress does', () => {
  const text = '<?php\n/**\n * Plugin Name: Phare */ ?>\n * Version: 1.2 \n * Requires PHP: 7.4\n */';
  expect(readHeader('plugin', text)).toEqual({ name: 'Phare', version: '1.2', requires: { wp: null, php: '7.4' } });
});

it('takes linear time for a long line', () => {
  const steps = (length: number) => {
    const text = `Plugin Name:${' '.repeat(length)}x`;
    const since = process.cpuUsage();
    for (let n = 0; n < 50; n += 1) readHeader('plugin', text);
    return process.cpuUsage(since).user;
  };
  steps(1_000);
  // With quadratic time, a line ten times as long takes a hundred times as long.
  expect(steps(20_000) / Math.max(steps(2_000), 1)).toBeLessThan(50);
});

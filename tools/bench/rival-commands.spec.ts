import { expect, it } from 'vitest';
import { readRepeated } from './rival-commands';

it('reads the times of a command, and the processor time of the children of the shell', () => {
  const printed = '12500 0\n7250 0\n0m0.002s 0m0.001s\n1m0.120s 0m0.030s\n';
  expect(readRepeated(printed)).toEqual({ times: [12.5, 7.25], cpuMs: 60_150 });
});

it('throws when a command failed', () => {
  expect(() => readRepeated('12500 0\n7250 255\n0m0.002s 0m0.001s\n0m0.120s 0m0.030s\n')).toThrow('255');
});

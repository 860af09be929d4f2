import { expect, it } from 'vitest';
import { passed } from './results';
import { summary } from './summary';
import type { StepResult } from './steps';

const done = (name: string, rest: Partial<StepResult> = {}): StepResult => ({
  name,
  outcome: passed,
  seconds: 1,
  cpuSeconds: 0,
  isPreparation: false,
  ...rest,
});

it('lists the parts by the processor time that they used', () => {
  const lines = summary([
    done('build', { seconds: 12 }),
    done('unit', { cpuSeconds: 3.25 }),
    done('e2e', { cpuSeconds: 90 }),
  ]);
  expect(lines.filter((line) => / s( |$)/.test(line)).map((line) => line.split(/\s+/)[0])).toEqual([
    'e2e',
    'unit',
    'build',
  ]);
  expect(lines.join('\n')).toContain('3,3 s de processeur');
});

it('names the flaky stories under a heading of their own, and no heading without any', () => {
  const flaky = ['login.e2e.ts › remembers'];
  expect(summary([done('e2e', { outcome: { ...passed, flaky } })]).join('\n')).toMatch(/Instables.*\n.*› remembers/);
  expect(summary([done('e2e')]).join('\n')).not.toContain('Instables');
});

it('names the ten longest files of all parts', () => {
  const files = Array.from({ length: 12 }, (_, at) => ({ file: `${at}.spec.ts`, seconds: at }));
  const lines = summary([done('unit', { outcome: { ...passed, files } })]).filter((line) => line.endsWith('.spec.ts'));
  expect(lines).toHaveLength(10);
  expect(lines[0]).toContain('11.spec.ts');
});

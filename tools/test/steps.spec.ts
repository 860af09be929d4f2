import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { failed, passed, sum } from './results';
import { selectSteps, countStep, type StepResult, runSteps, type Step } from './steps';

const step = (name: string, rest: Partial<Step> = {}): Step => ({ name, run: async () => passed, ...rest });

async function runAll(steps: Step[], slots = 2, signal = new AbortController().signal) {
  const order: string[] = [];
  const outputs: Record<string, string> = {};
  const onDone = ({ name, outcome }: StepResult) => {
    order.push(name);
    outputs[name] = outcome.output;
  };
  const done = await runSteps(steps, { slots, signal, onDone });
  return { tally: sum(done.map(countStep)), order, outputs };
}

describe('a run of steps', () => {
  it('counts every step, and a preparation only when it fails', async () => {
    const steps = [step('servers', { isPreparation: true }), step('types'), step('lint')];
    expect((await runAll(steps)).tally).toEqual({ passed: 2, failed: 0, skipped: 0 });
    const broken = [step('servers', { isPreparation: true, run: async () => failed('no server') }), step('types')];
    expect((await runAll(broken)).tally).toEqual({ passed: 1, failed: 1, skipped: 0 });
  });

  it('starts a step after its needs, and fails it when one of them failed', async () => {
    const steps = [
      step('medium', { needs: ['build', 'servers'] }),
      step('servers', { isPreparation: true }),
      step('build', { run: async () => failed('does not build') }),
    ];
    const { tally, order, outputs } = await runAll(steps);
    expect(order.at(-1)).toBe('medium');
    expect(outputs.medium).toBe('Pas exécuté : build a échoué.');
    expect(tally).toEqual({ passed: 0, failed: 2, skipped: 0 });
  });

  it('runs a step even if one that it only comes after has failed', async () => {
    const steps = [
      step('chromium', { after: ['servers', 'absent'] }),
      step('servers', { run: async () => failed('x') }),
    ];
    expect((await runAll(steps)).tally).toEqual({ passed: 1, failed: 1, skipped: 0 });
  });

  it('counts a step that throws as failed, with its stack', async () => {
    const { tally, outputs } = await runAll([step('lint', { run: () => Promise.reject(new Error('crashed')) })]);
    expect(tally.failed).toBe(1);
    expect(outputs.lint).toContain('Error: crashed');
  });

  it('never runs more steps than slots, and runs an exclusive step alone', async () => {
    const active = new Set<string>();
    const activeSteps: string[][] = [];
    const trackActive = (name: string): Partial<Step> => ({
      run: async () => {
        activeSteps.push([...active.add(name)]);
        await new Promise((resolve) => setImmediate(resolve));
        active.delete(name);
        return passed;
      },
    });
    const steps = ['a', 'b', 'c', 'd', 'e'].map((name) => step(name, trackActive(name)));
    await runAll([
      ...steps.slice(0, 2),
      step('alone', { ...trackActive('alone'), isExclusive: true }),
      ...steps.slice(2),
    ]);
    expect(Math.max(...activeSteps.map((names) => names.length))).toBe(2);
    expect(activeSteps.filter((names) => names.includes('alone'))).toEqual([['alone']]);
  });

  it('runs patient steps beside an exclusive one', async () => {
    const meeting = new AbortController();
    const waitForPatient = async () => {
      if (!meeting.signal.aborted) await once(meeting.signal, 'abort');
      return passed;
    };
    const release = async () => {
      meeting.abort();
      return passed;
    };
    const steps = [
      step('alone', { isExclusive: true, run: waitForPatient }),
      step('patient', { isPatient: true, run: release }),
    ];
    expect((await runAll(steps)).tally.passed).toBe(2);
  });

  it('counts running and waiting steps as failed when it is interrupted', async () => {
    const stop = new AbortController();
    const interrupt = async () => {
      stop.abort();
      return passed;
    };
    const { tally } = await runAll([step('a'), step('b', { run: interrupt }), step('c'), step('d')], 1, stop.signal);
    expect(tally).toEqual({ passed: 1, failed: 3, skipped: 0 });
  });

  it('refuses steps that wait for each other', async () => {
    await expect(runAll([step('a', { needs: ['b'] }), step('b', { needs: ['a'] })])).rejects.toThrow('a, b');
  });
});

describe('the choice of a part', () => {
  const steps = [
    step('build'),
    step('types'),
    step('types-web'),
    step('servers'),
    step('medium', { needs: ['build', 'servers'] }),
  ];
  const names = (...parts: string[]) => selectSteps(steps, parts).map(({ name }) => name);

  it('is everything by default', () => expect(names()).toHaveLength(5));
  it('includes the needs of the part', () => expect(names('medium')).toEqual(['build', 'servers', 'medium']));
  it('includes parts with the same first word', () => expect(names('types')).toEqual(['types', 'types-web']));
  it('is nothing for an unknown word', () => expect(names('typ')).toEqual([]));
});

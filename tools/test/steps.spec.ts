import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { failed, passed, sum } from './results';
import { choose, counted, type Done, runSteps, type Step } from './steps';

const step = (name: string, rest: Partial<Step> = {}): Step => ({ name, run: async () => passed, ...rest });

async function runAll(steps: Step[], slots = 2, signal = new AbortController().signal) {
  const order: string[] = [];
  const outputs: Record<string, string> = {};
  const onDone = ({ name, outcome }: Done) => {
    order.push(name);
    outputs[name] = outcome.output;
  };
  const done = await runSteps(steps, { slots, signal, onDone });
  return { tally: sum(done.map(counted)), order, outputs };
}

describe('a run of steps', () => {
  it('counts each test, and a preparation only when it fails', async () => {
    const steps = [step('servers', { isPreparation: true }), step('types'), step('lint')];
    expect((await runAll(steps)).tally).toEqual({ passed: 2, failed: 0, skipped: 0 });
    const broken = [step('servers', { isPreparation: true, run: async () => failed('no server') }), step('types')];
    expect((await runAll(broken)).tally).toEqual({ passed: 1, failed: 1, skipped: 0 });
  });

  it('starts a step after those it needs, and fails it when one of them failed', async () => {
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

  it('goes on after a step that only comes first when that one failed', async () => {
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

  it('never has more tests at work than slots, and one that wants to be alone beside none', async () => {
    const active = new Set<string>();
    const seen: string[][] = [];
    const working = (name: string): Partial<Step> => ({
      run: async () => {
        seen.push([...active.add(name)]);
        await new Promise((resolve) => setImmediate(resolve));
        active.delete(name);
        return passed;
      },
    });
    const steps = ['a', 'b', 'c', 'd', 'e'].map((name) => step(name, working(name)));
    await runAll([...steps.slice(0, 2), step('alone', { ...working('alone'), isAlone: true }), ...steps.slice(2)]);
    expect(Math.max(...seen.map((names) => names.length))).toBe(2);
    expect(seen.filter((names) => names.includes('alone'))).toEqual([['alone']]);
  });

  it('has patient ones at work beside those that are alone', async () => {
    const meeting = new AbortController();
    const met = async () => {
      if (!meeting.signal.aborted) await once(meeting.signal, 'abort');
      return passed;
    };
    const arrive = async () => {
      meeting.abort();
      return passed;
    };
    const steps = [step('alone', { isAlone: true, run: met }), step('patient', { isPatient: true, run: arrive })];
    expect((await runAll(steps)).tally.passed).toBe(2);
  });

  it('counts what was at work and what was still to come as failed when it is interrupted', async () => {
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
  const names = (...parts: string[]) => choose(steps, parts).map(({ name }) => name);

  it('is everything when nothing is asked', () => expect(names()).toHaveLength(5));
  it('brings what the part needs', () => expect(names('medium')).toEqual(['build', 'servers', 'medium']));
  it('takes the parts of the same first word', () => expect(names('types')).toEqual(['types', 'types-web']));
  it('is nothing for an unknown word', () => expect(names('typ')).toEqual([]));
});

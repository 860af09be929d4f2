import { expect, it } from 'vitest';
import { type GuardName, guards } from './guards';
import { judge } from './verdict';

const oneFinding = (kind: string) => [{ kind, id: '1' }];
const without = Object.entries(guards) as [GuardName, (typeof guards)[GuardName]][];

it.each(without)('accepts only expected findings as proof of the %s', (guard, { expectedFindings }) => {
  const code = (kind: string) => judge({ findings: oneFinding(kind), hasHitWork: true }, guard).code;
  expect(expectedFindings.map(code)).toEqual(expectedFindings.map(() => 0));
  // Not even findings of the same column: a fault may break a site although all guards are in place.
  const others = ['dit réussi, sans son effet', 'réponse', 'reste', 'perdu', 'dit échoué, mais commencé', 'croît'];
  expect(others.map(code)).toEqual(others.map(() => 1));
});

it('does not accept a trial without findings as proof', () => {
  expect(judge({ findings: [], hasHitWork: true }, 'fence').code).toBe(1);
  expect(judge({ findings: [], hasHitWork: false }, 'lease').code).toBe(1);
});

it('accepts a proof although few faults hit work, because a missing guard may block work', () => {
  expect(judge({ findings: oneFinding('sans bail'), hasHitWork: false }, 'lease').code).toBe(0);
});

it('passes a trial without findings if enough faults hit work', () => {
  expect(judge({ findings: [], hasHitWork: true }, undefined).code).toBe(0);
  expect(judge({ findings: [], hasHitWork: false }, undefined).code).toBe(1);
  expect(judge({ findings: oneFinding('reste'), hasHitWork: true }, undefined).code).toBe(1);
});

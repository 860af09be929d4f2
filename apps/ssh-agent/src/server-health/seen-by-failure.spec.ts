import { expect, it } from 'vitest';
import { type Reason, SshFailure } from '@vigie/ssh/failure';
import { seenByFailure } from './seen-by-failure';

const seenBy = (reason: Reason) => seenByFailure(new SshFailure(reason));

it('is down where nothing leads there, and up where somebody answered', () => {
  const down = { online: false, method: null };
  expect(seenBy({ kind: 'unresolved', host: 'mort.fr' })).toMatchObject({ ...down, failure: { code: 'unresolved' } });
  expect(seenBy({ kind: 'timed-out', phase: 'resolve', seconds: 10 })).toMatchObject(down);
  expect(seenBy({ kind: 'timed-out', phase: 'banner', seconds: 15 })).toMatchObject({ online: true, method: 'tcp' });
});

it('is as it was where nobody went there', () => {
  expect(seenBy({ kind: 'unasked', host: 'bon.fr' })).toBeUndefined();
  expect(seenBy({ kind: 'cancelled' })).toBeUndefined();
});

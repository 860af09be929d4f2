import { expect, it } from 'vitest';
import { type Reason, SshFailure } from '@vigie/ssh/failure';
import { probeFromFailure } from './probe-from-failure';

const probeFrom = (reason: Reason) => probeFromFailure(new SshFailure(reason));

it('is down when it cannot be reached, and up when it answered', () => {
  const down = { online: false, method: null };
  expect(probeFrom({ kind: 'unresolved', host: 'mort.fr' })).toMatchObject({
    ...down,
    failure: { code: 'unresolved' },
  });
  expect(probeFrom({ kind: 'timed-out', phase: 'resolve', seconds: 10 })).toMatchObject(down);
  expect(probeFrom({ kind: 'timed-out', phase: 'banner', seconds: 15 })).toMatchObject({ online: true, method: 'tcp' });
});

it('is unknown when no connection was tried', () => {
  expect(probeFrom({ kind: 'unasked', host: 'bon.fr' })).toBeUndefined();
  expect(probeFrom({ kind: 'cancelled' })).toBeUndefined();
});

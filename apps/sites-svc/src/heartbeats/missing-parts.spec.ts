import { expect, it } from 'vitest';
import { missingParts, missingSince, type Signs } from './missing-parts';

const alive: Signs = {
  answers: { 'auth-svc': true, 'dns-svc': true, 'ssh-agent': true },
  gatewaySeconds: 31,
  lagSeconds: 12,
};
const missing = (changes: Partial<Signs>) => missingParts({ ...alive, ...changes });

it('names no part while all of them live', () => {
  expect(missing({})).toEqual([]);
  expect(missing({ gatewaySeconds: 90, lagSeconds: 180 })).toEqual([]);
});

it('names each part that does not live', () => {
  for (const part of ['auth-svc', 'dns-svc', 'ssh-agent'] as const)
    expect(missing({ answers: { ...alive.answers, [part]: false } })).toEqual([part]);
  expect(missing({ gatewaySeconds: 91 })).toEqual(['gateway']);
  expect(missing({ gatewaySeconds: undefined })).toEqual(['gateway']);
  expect(missing({ lagSeconds: 181 })).toEqual(['visits']);
  expect(missing({ lagSeconds: undefined })).toEqual(['redis']);
});

it('remembers since when a part is missing', () => {
  const before = [
    { part: 'redis', since: 'before' },
    { part: 'gateway', since: 'before' },
  ] as const;
  expect(missingSince(['redis', 'visits'], [...before], 'now')).toEqual([
    { part: 'redis', since: 'before' },
    { part: 'visits', since: 'now' },
  ]);
});

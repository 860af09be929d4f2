import { expect, it } from 'vitest';
import { contract } from '@vigie/contracts/contract';
import { z } from 'zod';
import { handlerFaults } from './handles';

const shape = { input: z.object({}), output: z.object({}), callers: ['gateway'] } as const;
const contracts = [
  contract('auth.a.read', { ...shape, callers: ['gateway'] }),
  contract('auth.b.read', { ...shape, callers: ['gateway'] }),
  contract('dns.c.read', { ...shape, callers: ['gateway'] }),
];

it('finds no fault when each contract of the process has one handler', () => {
  expect(handlerFaults('auth-svc', ['auth.a.read', 'auth.b.read'], contracts)).toEqual([]);
});

it.each([
  ['a contract without handler', ['auth.a.read'], 'auth.b.read has no handler'],
  ['two handlers', ['auth.a.read', 'auth.b.read', 'auth.a.read'], 'auth.a.read has two handlers'],
  [
    'a handler of somebody else',
    ['auth.a.read', 'auth.b.read', 'dns.c.read'],
    'dns.c.read is handled but is no contract of auth-svc',
  ],
])('names %s', (_name, patterns, fault) => {
  expect(handlerFaults('auth-svc', patterns, contracts)).toEqual([fault]);
});

import { QueryRunnerAlreadyReleasedError, QueryRunnerProviderAlreadyReleasedError } from 'typeorm';
import { expect, it } from 'vitest';
import { AppError } from '@vigie/contracts/errors';
import { ExpiredEnvelope } from './envelope';
import { callRefusal, toAnswer } from './failures';
import { makeLog } from './log';

const log = makeLog('test', 'silent');

it('keeps an error that is meant for the person', () => {
  const error = new AppError('conflict', 'Déjà là.');
  expect(toAnswer(error, log, 'r')).toBe(error);
});

it.each([
  ['a refused connection', Object.assign(new Error('x'), { code: 'ECONNREFUSED' })],
  ['a server that is shutting down', Object.assign(new Error('x'), { code: '57P01' })],
  ['a statement that took too long', Object.assign(new Error('x'), { code: '57014' })],
  ['a cut connection', new Error('Connection terminated unexpectedly')],
  ['a connection that was lost within a transaction', new QueryRunnerProviderAlreadyReleasedError()],
  ['one that was lost just before its end', new QueryRunnerAlreadyReleasedError()],
  [
    'one of these as a cause',
    new Error('query failed', { cause: Object.assign(new Error('x'), { code: 'ECONNRESET' }) }),
  ],
])('reports %s as an unavailable service', (_name, error) => {
  expect(toAnswer(error, log, 'r')).toMatchObject({ code: 'unavailable', retryAfter: 2 });
});

it('hides a bug behind its log reference', () => {
  const answer = toAnswer(new TypeError('x is not a function'), log, 'reference-1');
  expect(answer.code).toBe('internal');
  expect(answer.detail).toBe('Une erreur inattendue est survenue. Elle est consignée sous la référence reference-1.');
});

it('asks for another try when a call came too late, since it is no forgery', () => {
  expect(callRefusal(new ExpiredEnvelope('expired'))).toMatchObject({ code: 'unavailable', retryAfter: 2 });
  expect(callRefusal(new Error('bad signature'))).toMatchObject({ code: 'forbidden' });
});

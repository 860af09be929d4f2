import { afterAll, expect, it } from 'vitest';
import { openCounters } from '@vigie/service-kit/counters';
import { makeLog } from '@vigie/service-kit/log';
import { RequestBudget } from './request-budget';

const log = makeLog('gateway', 'silent');
// No Redis listens there, so only the local counts matter.
const counters = openCounters('redis://127.0.0.1:1', { keys: { instance: 'x' }, log });
const budget = new RequestBudget(counters, 2, log);
afterAll(async () => {
  budget.onApplicationShutdown();
  await counters.close();
});

it('keeps the count of an address while many others come', () => {
  for (let n = 0; n < 49_998; n += 1) budget.spend(`address:${n}`);
  budget.spend('address:x');
  budget.spend('address:x');
  for (let n = 50_000; n < 52_000; n += 1) budget.spend(`address:${n}`);
  expect(() => budget.spend('address:x')).toThrow(expect.objectContaining({ code: 'too_many' }));
});

import { z } from 'zod';
import { contract, type Owner, owners } from './contract';

export const ServiceHealth = z.object({ ok: z.boolean(), release: z.string(), instance: z.string() });
export type ServiceHealth = z.infer<typeof ServiceHealth>;

const check = (owner: Owner) =>
  contract(`${owner}.health.check`, {
    input: z.object({}),
    output: ServiceHealth,
    callers: ['gateway'],
    timeoutMs: 900,
  });

export const checkAuth = check('auth');
export const checkSites = check('sites');
export const checkAgent = check('agent');
export const checkDns = check('dns');

export const Readiness = z.object({
  ready: z.boolean(),
  services: z.record(z.enum(Object.values(owners)), z.boolean()),
});
export type Readiness = z.infer<typeof Readiness>;

import { z } from 'zod';
import { contract, type Owner, owners } from './contract';

export const ServiceHealth = z.object({ ok: z.boolean(), release: z.string(), instance: z.string() });
export type ServiceHealth = z.infer<typeof ServiceHealth>;

const check = (owner: Owner) =>
  contract(`${owner}.health.check`, {
    input: z.object({}),
    output: ServiceHealth,
    // sites-svc gives signs of life only while all others do.
    callers: ['gateway', 'sites-svc'],
    timeoutMs: 900,
  });

export const checkAuth = check('auth');
export const checkSites = check('sites');
export const checkAgent = check('agent');
export const checkDns = check('dns');

/** Each gateway says twice a minute that it lives, since nobody can ask it over the bus. */
export const reportGateway = contract('sites.gateways.report', {
  input: z.object({}),
  output: z.object({}),
  callers: ['gateway'],
});

export const Readiness = z.object({
  ready: z.boolean(),
  services: z.record(z.enum(Object.values(owners)), z.boolean()),
});
export type Readiness = z.infer<typeof Readiness>;

import type { Contract } from './contract.js';
import * as health from './health.js';
import * as sessions from './sessions.js';
import * as users from './users.js';

const isContract = (value: unknown): value is Contract =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'call';

/** Every contract of the product: the boot check counts handlers against it, `/api/docs` is made from it. */
export const allContracts: readonly Contract[] = [health, sessions, users].flatMap((feature) =>
  Object.values(feature).filter(isContract),
);

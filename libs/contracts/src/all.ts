import type { Contract } from './contract';
import * as health from './health';
import * as sessions from './sessions';
import * as users from './users';

const isContract = (value: unknown): value is Contract =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'call';

/** Every contract of the product: the boot check counts handlers against it, `/api/docs` is made from it. */
export const allContracts: readonly Contract[] = [health, sessions, users].flatMap((feature) =>
  Object.values(feature).filter(isContract),
);

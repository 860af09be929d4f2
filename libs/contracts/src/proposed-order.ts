import { z } from 'zod';

/** What an assistant may propose: each is the order of one contract, which a person confirms. */
export const ProposedOrder = z.enum(['updates', 'backups', 'restore', 'rollback', 'repair']);
export type ProposedOrder = z.infer<typeof ProposedOrder>;

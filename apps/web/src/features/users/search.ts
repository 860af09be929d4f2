import { userColumns as columns } from '@vigie/contracts/users';
import { z } from 'zod';
import { flag, page, text } from '../../kit/list/search-params';

export type Column = (typeof columns)[number];

/** The state of the page of users, kept in the address. */
export const UsersSearch = z.object({
  q: text,
  role: z.enum(['admin', 'client']).optional().catch(undefined),
  sort: z.enum(columns).optional().catch(undefined),
  order: z.enum(['asc', 'desc']).optional().catch(undefined),
  page,
  /** The user whose row is unfolded. */
  open: text,
  /** Whether the form for a new account is open. */
  add: flag,
  /** The teams, in place of the accounts. */
  view: z.literal('teams').optional().catch(undefined),
});
export type UsersSearch = z.infer<typeof UsersSearch>;

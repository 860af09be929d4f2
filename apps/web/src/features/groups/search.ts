import { z } from 'zod';

// The router reads `?q=12` as a number.
const text = z.coerce.string().optional().catch(undefined);

/** What is shown of the groups, kept in the address. */
export const GroupsSearch = z.object({
  q: text,
  /** The group whose form is open. */
  edit: text,
  /** The form for another group is open. */
  add: z.literal(true).optional().catch(undefined),
});
export type GroupsSearch = z.infer<typeof GroupsSearch>;

import { z } from 'zod';
import { isOn, text } from '../../app/address';

/** What is shown of the groups, kept in the address. */
export const GroupsSearch = z.object({
  q: text,
  /** The group whose form is open. */
  edit: text,
  /** The form for another group is open. */
  add: isOn,
});
export type GroupsSearch = z.infer<typeof GroupsSearch>;

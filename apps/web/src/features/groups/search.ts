import { z } from 'zod';
import { flag, text } from '../../kit/list/search-params';

/** The state of the page of groups, kept in the address. */
export const GroupsSearch = z.object({
  q: text,
  /** The group whose form is open. */
  edit: text,
  /** Whether the form for a new group is open. */
  add: flag,
  /** The group whose sharing is open. */
  share: text,
  /** The group whose choice of another owner is open. */
  owner: text,
  /** The group whose public page is open. */
  page: text,
  /** The group whose maintenance is open. */
  maintenance: text,
});
export type GroupsSearch = z.infer<typeof GroupsSearch>;

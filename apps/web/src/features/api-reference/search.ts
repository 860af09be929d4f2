import { z } from 'zod';
import { text } from '../../kit/list/search-params';

/** The state of the API reference, kept in the address. */
export const ReferenceSearch = z.object({
  q: text,
  /** The id of the operation that is shown, in place of the introduction. */
  operation: text,
});
export type ReferenceSearch = z.infer<typeof ReferenceSearch>;

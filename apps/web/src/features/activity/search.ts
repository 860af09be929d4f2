import { activityKindNames } from '@vigie/contracts/activity';
import { z } from 'zod';

const id = z.uuid().optional().catch(undefined);

export const ActivitySearch = z.object({
  person: id,
  kind: z.enum(activityKindNames).optional().catch(undefined),
  site: id,
});
export type ActivitySearch = z.infer<typeof ActivitySearch>;

export const isFiltered = ({ person, kind, site: siteId }: ActivitySearch): boolean =>
  [person, kind, siteId].some((value) => value !== undefined);

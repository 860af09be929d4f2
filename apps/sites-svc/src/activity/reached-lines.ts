import { activityFilters } from '@vigie/contracts/activity';
import { isOwned } from '../owners/owner-filter';
import { reachesRowOfSite, sharedRole } from '../owners/reach';

/** What only an owner reads about a site: with whom it is shared, and its records at the DNS. */
const ownersTypes = [...activityFilters.dns, 'grant_create', 'grant_edit', 'grant_delete', 'owner_change'];

/** What others read of a line, too: nothing of a connection, of groups, or of failures, which may name a host. */
const sharedDetails = [
  'name',
  'slug',
  'kind',
  'from',
  'to',
  'url',
  'state',
  'code',
  'filename',
  'size',
  'location',
  'restored',
  'proposal_id',
  'order',
];

const textArray = (texts: readonly string[]) => `array['${texts.join("', '")}']`;

/** SQL condition: the caller may read the line. */
export const reachesLine = (line: string, caller: string): string =>
  sharedRole()
    ? `(${reachesRowOfSite(line, caller)} and (${isOwned(line, caller)} or ${line}.type <> all (${textArray(ownersTypes)})))`
    : reachesRowOfSite(line, caller);

/** SQL for the details of a line that the caller may read. */
export const seenDetails = (line: string, caller: string): string =>
  sharedRole()
    ? `case when ${isOwned(line, caller)} then ${line}.details else (
        select coalesce(jsonb_object_agg(d.key, d.value), '{}') from jsonb_each(${line}.details) d
        where d.key = any (${textArray(sharedDetails)})) end`
    : `${line}.details`;

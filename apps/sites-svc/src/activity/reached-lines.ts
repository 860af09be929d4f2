import { ActivityType, activityFilters } from '@vigie/contracts/activity';
import { reachesRowOfSite, sharedRole } from '../owners/reach';

/** What only an owner reads about a site: with whom it is shared, and its records at the DNS. */
const ownersTypes = [...activityFilters.dns, ...ActivityType.options.filter((type) => type.startsWith('grant_'))];

/** What only an owner reads about a change of a site: its connection. */
const ownersDetails = ['serverId', 'host', 'port', 'user', 'path', 'method', 'server', 'host_key', 'previous'];

const textArray = (texts: readonly string[]) => `array['${texts.join("', '")}']`;

/** SQL condition: the caller may read the line. */
export const reachesLine = (line: string, caller: string): string =>
  sharedRole()
    ? `(${reachesRowOfSite(line, caller)} and (${line}.owner_id = ${caller} or ${line}.type <> all (${textArray(ownersTypes)})))`
    : reachesRowOfSite(line, caller);

/** SQL for the details of a line that the caller may read. */
export const seenDetails = (line: string, caller: string): string =>
  sharedRole()
    ? `case when ${line}.owner_id = ${caller} then ${line}.details else ${line}.details - ${textArray(ownersDetails)} end`
    : `${line}.details`;

import { currentUser } from '@vigie/service-kit/context';
import { isInGroup } from '../groups/memberships';

/** Under this owner stand the totals of everybody together. */
export const everybody = '00000000-0000-0000-0000-000000000000';

export type Narrowed = { group_id?: string | undefined; server_id?: string | undefined };

/** Which sites somebody asks about: as conditions, with the first values of the statement they stand in. */
export type Reach = {
  values: readonly unknown[];
  /** Not all that they see: totals do not tell. */
  isPart: boolean;
  /** Of a row that has an `owner_id`. */
  owns: (row: string) => string;
  /** Of a row of `sites`. */
  holds: (row: string) => string;
  /** Of the row of an extension. */
  has: (row: string) => string;
  /** The value that stands in this place behind them. */
  value: (place: number) => string;
};

export function reachOf({ group_id: group, server_id: server }: Narrowed): Reach {
  const { sub, adminMode } = currentUser();
  const isPart = group !== undefined || server !== undefined;
  const holder = adminMode ? everybody : sub;
  const values = isPart ? [holder, group ?? null, server ?? null] : [holder];
  // With the admin mode nothing is asked of the row.
  const owns = (row: string) => (adminMode ? '$1::uuid is not null' : `${row}.owner_id = $1`);
  const isChosen = (row: string) =>
    `($2::uuid is null or ${isInGroup('sites', row, '$2')}) and ($3::uuid is null or ${row}.server_id = $3::uuid)`;
  const holds = (row: string) => (isPart ? `${owns(row)} and ${isChosen(row)}` : owns(row));
  return {
    values,
    isPart,
    owns,
    holds,
    has: (row) =>
      isPart ? `${owns(row)} and ${row}.site_id in (select c.id from sites c where ${holds('c')})` : owns(row),
    value: (place) => `$${values.length + place}`,
  };
}

/** That a row of extensions is a plugin, one for each site that has it. */
export const isPlugin = (row: string) => `${row}.type = 'plugin' and ${row}.kind = 'regular' and ${row}.is_main`;

/** That nobody could say last what is on a site. */
export const isFailed = (row: string) => `(${row}.ssh_error is not null or ${row}.problem is not null)`;

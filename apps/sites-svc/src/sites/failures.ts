/** Messages of hosts may be of any length, and lists carry many of them. */
const maxCharacters = 300;

export const shorten = (reason: string) => `left(${reason}, ${maxCharacters})`;

/** SQL: the last scan or inspection of the site failed. */
export const isFailed = (row: string) => `(${row}.ssh_error is not null or ${row}.problem is not null)`;

/** SQL for the reason why the last scan or inspection of a site failed. */
export const failureSql = (row: string) => shorten(`coalesce(${row}.ssh_error, ${row}.problem ->> 'message')`);

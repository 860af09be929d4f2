/** A host says as much as it likes: so much of it goes into a list. */
const maxCharacters = 300;

export const inShort = (reason: string) => `left(${reason}, ${maxCharacters})`;

/** Why nobody could say last what is on a site. */
export const failureOf = (row: string) => inShort(`coalesce(${row}.ssh_error, ${row}.problem ->> 'message')`);

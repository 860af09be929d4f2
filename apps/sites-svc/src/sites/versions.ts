/** SQL: hosts may report any text; a version begins with a digit. */
export const isVersion = (column: string) => `${column} ~ '^[0-9]'`;

/** SQL for an array that PostgreSQL compares number by number. */
export const numbersOf = (column: string) =>
  `string_to_array(substring(${column} from '^[0-9]{1,9}(?:[.][0-9]{1,9}){0,5}'), '.')::int[]`;

/** SQL order, newest first; among equal numbers a release precedes its betas: 6.0 is newer than 6.0-beta1. */
export const newestFirst = (column: string) =>
  `${numbersOf(column)} desc, ${column} ~ '^[0-9.]+$' desc, ${column} collate french desc`;

/** Hosts say what they like: what begins with no number is no version. */
export const isVersion = (column: string) => `${column} ~ '^[0-9]'`;

/** Its numbers, as an array that is compared number by number. */
export const numbersOf = (column: string) =>
  `string_to_array(substring(${column} from '^[0-9]{1,9}(?:[.][0-9]{1,9}){0,5}'), '.')::int[]`;

/** The newest first; of those with the same numbers the one that is nothing but numbers: 6.0 comes after 6.0-beta1. */
export const newestFirst = (column: string) =>
  `${numbersOf(column)} desc, ${column} ~ '^[0-9.]+$' desc, ${column} collate french desc`;

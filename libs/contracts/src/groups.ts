import { z } from 'zod';
import { contract } from './contract';
import { id, requiredLine } from './text';

export const Group = z.object({
  id,
  name: z.string(),
  description: z.string().nullable(),
  parent_id: id.nullable(),
  /** In it and below it, each counted once. */
  sitesCount: z.int(),
  serversCount: z.int(),
  /** Told in the admin mode: only what is of the same owner goes into it. */
  owner_id: id.optional(),
});
export type Group = z.infer<typeof Group>;

/** Levels, the first one included. */
export const deepestGroup = 8;

const name = requiredLine('Renseignez un nom.', 100);
const description = z
  .string()
  .max(1_000, 'Ce texte ne peut pas dépasser 1000 caractères.')
  .transform((value) => value.trim().normalize('NFC') || null);

/** All that the caller sees, by name. */
export const listGroups = contract('sites.groups.list', {
  input: z.object({}),
  output: z.array(Group),
  callers: ['gateway'],
});

export const createGroup = contract('sites.groups.create', {
  input: z.object({ name, description: description.nullish(), parent_id: id.nullish() }),
  output: Group,
  callers: ['gateway'],
});

/** Absent is unchanged, null clears. */
export const editGroup = contract('sites.groups.edit', {
  input: z.object({ id, name: name.optional(), description: description.nullish(), parent_id: id.nullish() }),
  output: Group,
  callers: ['gateway'],
});

/** Its children go to its parent; what was in it stays, in one group less. */
export const deleteGroup = contract('sites.groups.delete', {
  input: z.object({ id }),
  output: z.object({}),
  callers: ['gateway'],
});

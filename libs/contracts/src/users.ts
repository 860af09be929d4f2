import { z } from 'zod';
import { contract } from './contract';
import { id } from './text';

export const Role = z.enum(['admin', 'client']);
export type Role = z.infer<typeof Role>;

export const User = z.object({
  id,
  email: z.string(),
  /** "first last", else the email. */
  name: z.string(),
  first_name: z.string().nullable(),
  last_name: z.string().nullable(),
  role: Role,
  /** Computed by the server from the role; nothing sets it. */
  is_admin: z.boolean(),
});
export type User = z.infer<typeof User>;

export const readMe = contract('auth.users.me', { input: z.object({}), output: User, callers: ['gateway'] });

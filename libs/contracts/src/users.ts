import { z } from 'zod';
import { contract } from './contract';
import { email, id, newPassword, oneOf, replacedPassword, requiredLine, searchText, timestamp } from './text';

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

/** The session's user; `requires_2fa_setup` where the session may do nothing else yet. */
export const Me = User.extend({ requires_2fa_setup: z.literal(true).optional() });
export type Me = z.infer<typeof Me>;

export const readMe = contract('auth.users.me', { input: z.object({}), output: Me, callers: ['gateway'] });

/** A line of the users screen. */
export const AdminUser = User.extend({
  created_at: timestamp,
  has_2fa: z.boolean(),
  last_login_at: timestamp.nullable(),
});
export type AdminUser = z.infer<typeof AdminUser>;

const missingFields = 'Email, mot de passe, prénom et nom sont requis.';
/** `user` is the specification's other word for a client. */
const RoleInput = oneOf(['admin', 'client', 'user']).transform((role): Role => (role === 'user' ? 'client' : role));
const personName = (emptySentence: string) => requiredLine(emptySentence, 100);

export const CreateUser = z.object({
  email: email(missingFields),
  password: newPassword(missingFields),
  first_name: personName(missingFields),
  last_name: personName(missingFields),
  role: RoleInput.default('client'),
});
export type CreateUser = z.infer<typeof CreateUser>;

/** Absent is unchanged; an empty password keeps the one there is. */
export const EditUser = z.object({
  id,
  first_name: personName('Le prénom ne peut pas être vide.').nullish(),
  last_name: personName('Le nom ne peut pas être vide.').nullish(),
  role: RoleInput.optional(),
  password: replacedPassword.optional(),
  /** Read-only after creation: accepted only as it is. */
  email: z.string().max(254).optional(),
});
export type EditUser = z.infer<typeof EditUser>;

/** What the list is sorted by; what is missing comes last whichever way, and equals go by their address. */
export const userColumns = [
  'first_name',
  'last_name',
  'email',
  'role',
  'has_2fa',
  'last_login_at',
  'created_at',
] as const;

/** Without `limit`, everything; without `sort`, in the order in which they were made. */
export const listUsers = contract('auth.users.list', {
  input: z.object({
    limit: z.coerce.number().int().min(1).max(500).optional(),
    offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
    /** All words, in any order, whatever their accents and case: of a name and an address. */
    q: searchText(200).default(''),
    role: oneOf(Role.options).optional(),
    sort: oneOf(userColumns).optional(),
    order: oneOf(['asc', 'desc']).default('asc'),
  }),
  /** `total`: how many are found; `known`: how many there are. */
  output: z.object({ items: z.array(AdminUser), total: z.int(), known: z.int() }),
  callers: ['gateway'],
});

export const createUser = contract('auth.users.create', {
  input: CreateUser,
  output: AdminUser,
  callers: ['gateway'],
  sealed: { reader: 'auth-svc', fields: ['password'] },
  timeoutMs: 15_000,
});

export const editUser = contract('auth.users.edit', {
  input: EditUser,
  output: AdminUser,
  callers: ['gateway'],
  sealed: { reader: 'auth-svc', fields: ['password'] },
  timeoutMs: 15_000,
});

export const deleteUser = contract('auth.users.delete', {
  input: z.object({ id }),
  output: z.object({}),
  callers: ['gateway'],
});

import { z } from 'zod';
import { contract } from './contract';
import { email, id, newPassword, offset, oneOf, replacedPassword, requiredLine, searchText, timestamp } from './text';

export const Role = z.enum(['admin', 'client']);
export type Role = z.infer<typeof Role>;

export const User = z.object({
  id,
  email: z.string(),
  /** First and last name, or else the email. */
  name: z.string(),
  first_name: z.string().nullable(),
  last_name: z.string().nullable(),
  role: Role,
  /** Computed from the role; no request can set it. */
  is_admin: z.boolean(),
});
export type User = z.infer<typeof User>;

/** The session's user, with `requires_2fa_setup` while the session may only set up its 2FA. */
export const Me = User.extend({ requires_2fa_setup: z.literal(true).optional() });
export type Me = z.infer<typeof Me>;

export const readMe = contract('auth.users.me', {
  http: 'GET /api/auth/me',
  access: 'enrolling',
  scope: 'read',
  reads: ['me'],
  input: z.object({}),
  output: Me,
});

export const AdminUser = User.extend({
  created_at: timestamp,
  has_2fa: z.boolean(),
  last_login_at: timestamp.nullable(),
});
export type AdminUser = z.infer<typeof AdminUser>;

const missingFields = 'Email, mot de passe, prénom et nom sont requis.';
/** The specification also calls a client `user`. */
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

/** An absent field stays unchanged; an empty password keeps the current one. */
export const EditUser = z.object({
  id,
  first_name: personName('Le prénom ne peut pas être vide.').nullish(),
  last_name: personName('Le nom ne peut pas être vide.').nullish(),
  role: RoleInput.optional(),
  password: replacedPassword.optional(),
  /** Read-only after creation: any other value is refused. */
  email: z.string().max(254).optional(),
});
export type EditUser = z.infer<typeof EditUser>;

/** Sort columns. Missing values come last in both orders, and ties are sorted by email. */
export const userColumns = [
  'first_name',
  'last_name',
  'email',
  'role',
  'has_2fa',
  'last_login_at',
  'created_at',
] as const;

/** Lists all users without `limit`, and by creation date without `sort`. */
export const listUsers = contract('auth.users.list', {
  http: 'GET /api/admin/users',
  access: 'admin',
  scope: 'admin',
  answer: { pages: 'items' },
  reads: ['users'],
  input: z.object({
    limit: z.coerce.number().int().min(1).max(500).optional(),
    offset,
    /** Words of a name or email, in any order; accents and case are ignored. */
    q: searchText(200).default(''),
    role: oneOf(Role.options).optional(),
    sort: oneOf(userColumns).optional(),
    order: oneOf(['asc', 'desc']).default('asc'),
  }),
  /** `total` counts the matches, `known` all users. */
  output: z.object({ items: z.array(AdminUser), total: z.int(), known: z.int() }),
});

export const createUser = contract('auth.users.create', {
  http: 'POST /api/admin/users',
  access: 'admin',
  status: 201,
  changes: ['users'],
  input: CreateUser,
  output: AdminUser,
  sealed: { reader: 'auth-svc', fields: ['password'] },
  timeoutMs: 15_000,
});

export const editUser = contract('auth.users.edit', {
  http: 'PUT /api/admin/users/:id',
  access: 'admin',
  changes: ['me', 'users'],
  input: EditUser,
  // A new password leaves the passkeys of the user, who may not have added them all.
  output: AdminUser.extend({ passkey_count: z.int().default(0) }),
  sealed: { reader: 'auth-svc', fields: ['password'] },
  timeoutMs: 15_000,
});

export const deleteUser = contract('auth.users.delete', {
  http: 'DELETE /api/admin/users/:id',
  access: 'admin',
  changes: ['users'],
  input: z.object({ id }),
  output: z.object({}),
  timeoutMs: 15_000,
});

/** A user as others may know them. */
export const Person = z.object({ id, name: z.string(), email: z.string() });
export type Person = z.infer<typeof Person>;

/** Finds the user with exactly this address, to share something with them without a list of all users. */
export const findPerson = contract('auth.users.find', {
  http: 'POST /api/people/find',
  access: 'fresh',
  input: z.object({ email: email('Renseignez une adresse email.') }),
  output: Person,
});

/** Names users; those that do not exist are left out. */
export const describeUsers = contract('auth.users.describe', {
  input: z.object({ ids: z.array(id).max(1_000) }),
  output: z.object({ users: z.array(Person.extend({ role: Role })) }),
  callers: ['sites-svc'],
});

import type { AdminUser, Role, User as UserView } from '@vigie/contracts/users';
import type { Sealed } from '@vigie/vault/seal';
import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

@Entity('users')
export class User {
  @PrimaryColumn('uuid')
  id!: string;

  /** Lower-cased, so that an address names one account however it is typed. */
  @Column('text')
  email!: string;

  @Column('text', { name: 'password_hash' })
  passwordHash!: string;

  @Column('text', { name: 'first_name', nullable: true })
  firstName!: string | null;

  @Column('text', { name: 'last_name', nullable: true })
  lastName!: string | null;

  @Column('text')
  role!: Role;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'last_login_at', nullable: true })
  lastLoginAt!: Date | null;

  /** Sealed to this service and this row; null while the second factor is off. */
  @Column('jsonb', { name: 'totp_secret', nullable: true })
  totpSecret!: Sealed | null;

  /** Time step of the last accepted code; codes of this step or before are refused. */
  @Column('bigint', { name: 'totp_last_step', nullable: true, select: false })
  totpLastStep!: string | null;

  @Column('timestamptz', { name: 'two_factor_at', nullable: true })
  twoFactorAt!: Date | null;

  /** Logins used without the second factor that the policy requires. */
  @Column('int', { name: 'grace_used', default: 0 })
  graceUsed!: number;
}

/** The fields of a user that others may read. */
export type PublicUser = Pick<User, 'id' | 'email' | 'firstName' | 'lastName' | 'role'>;

export const nameOf = ({ firstName, lastName, email }: Pick<User, 'firstName' | 'lastName' | 'email'>): string =>
  [firstName, lastName].filter(Boolean).join(' ') || email;

export function toUserView(user: PublicUser): UserView {
  return {
    id: user.id,
    email: user.email,
    name: nameOf(user),
    first_name: user.firstName,
    last_name: user.lastName,
    role: user.role,
    is_admin: user.role === 'admin',
  };
}

export function toAdminUser(user: User): AdminUser {
  return {
    ...toUserView(user),
    created_at: user.createdAt.toISOString(),
    has_2fa: user.twoFactorAt !== null,
    last_login_at: user.lastLoginAt?.toISOString() ?? null,
  };
}

import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { AppSettings } from '@vigie/contracts/settings';
import { type EntityManager, Repository } from 'typeorm';
import { Settings, settingsRow } from '../settings/settings.entity';
import { User } from '../users/user.entity';

/** How often somebody who must have a 2FA may log in without one. */
export const graceLogins = 5;

/** Whom the application's policy asks for a 2FA, and how long they may go without. */
@Injectable()
export class TwoFactorPolicies {
  constructor(
    @InjectRepository(Settings) private readonly settings: Repository<Settings>,
    @InjectRepository(User) private readonly users: Repository<User>,
  ) {}

  async appliesTo({ role }: Pick<User, 'role'>): Promise<boolean> {
    const { require2fa } = await this.settings.findOneByOrFail(settingsRow);
    return require2fa === 'all' || (require2fa === 'admins' && role === 'admin');
  }

  /** A policy that asks less frees the sessions that it held at the set-up. */
  async freeSessions(manager: EntityManager, policy: AppSettings['require_2fa']): Promise<string[]> {
    const [freed]: [{ id: string }[], number] = await manager.query(
      `update sessions s set is_restricted = false from users u
       where u.id = s.user_id and s.is_restricted and not ($1 = 'all' or ($1 = 'admins' and u.role = 'admin'))
       returning s.id`,
      [policy],
    );
    return freed.map(({ id }) => id);
  }

  /** How many are left after this one, or undefined when there was none: one statement decides among parallel logins. */
  async useGrace({ id }: User): Promise<number | undefined> {
    const [[used]]: [{ grace_used: number }[], number] = await this.users.query(
      'update users set grace_used = grace_used + 1 where id = $1 and grace_used < $2 returning grace_used',
      [id, graceLogins],
    );
    return used && graceLogins - used.grace_used;
  }
}

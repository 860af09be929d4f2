import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { AppSettings } from '@vigie/contracts/settings';
import { type EntityManager, Repository } from 'typeorm';
import { Settings, settingsRow } from '../settings/settings.entity';
import { User } from '../users/user.entity';

/** Number of logins without a second factor that a policy still allows. */
export const graceLogins = 5;

/** Decides which users must have a second factor, and how many logins they have left to set it up. */
@Injectable()
export class TwoFactorPolicies {
  constructor(
    @InjectRepository(Settings) private readonly settings: Repository<Settings>,
    @InjectRepository(User) private readonly users: Repository<User>,
  ) {}

  /** A transaction gives its manager: it may hold the last connection. */
  async appliesTo({ role }: Pick<User, 'role'>, manager = this.settings.manager): Promise<boolean> {
    const { require2fa } = await manager.findOneByOrFail(Settings, settingsRow);
    return require2fa === 'all' || (require2fa === 'admins' && role === 'admin');
  }

  /** Whether a session that the user opened now could only set up the second factor. */
  async restricts(user: User): Promise<boolean> {
    return user.twoFactorAt === null && user.graceUsed >= graceLogins && (await this.appliesTo(user));
  }

  /** Lifts the restriction of sessions whose users no longer need a second factor under the new policy. */
  async liftRestrictions(manager: EntityManager, policy: AppSettings['require_2fa']): Promise<string[]> {
    const [sessions]: [{ id: string }[], number] = await manager.query(
      `update sessions s set is_restricted = false from users u
       where u.id = s.user_id and s.is_restricted and not ($1 = 'all' or ($1 = 'admins' and u.role = 'admin'))
       returning s.id`,
      [policy],
    );
    return sessions.map(({ id }) => id);
  }

  /** Uses one grace login and returns how many are left; undefined when none was. Safe for parallel logins. */
  async useGrace({ id }: User): Promise<number | undefined> {
    const [[usedRow]]: [{ grace_used: number }[], number] = await this.users.query(
      'update users set grace_used = grace_used + 1 where id = $1 and grace_used < $2 returning grace_used',
      [id, graceLogins],
    );
    return usedRow && graceLogins - usedRow.grace_used;
  }
}

import type { EntityManager } from 'typeorm';
import { User } from '../users/user.entity';

export async function removeSecondFactor(manager: EntityManager, id: string): Promise<void> {
  await manager.update(User, { id }, { totpSecret: null, twoFactorAt: null });
  await manager.query('delete from recovery_codes where user_id = $1', [id]);
}

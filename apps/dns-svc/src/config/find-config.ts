import { AppError } from '@vigie/contracts/errors';
import { currentUser } from '@vigie/service-kit/context';
import type { EntityManager } from 'typeorm';
import { DnsConfig } from './config.entity';

export const findOwnConfig = (manager: EntityManager): Promise<DnsConfig | null> =>
  manager.findOneBy(DnsConfig, { ownerId: currentUser().sub });

/** Returns all configurations that the acting user may use, its own first. */
export async function reachableConfigs(manager: EntityManager): Promise<DnsConfig[]> {
  const { sub, adminMode } = currentUser();
  const configs = await manager.find(DnsConfig, {
    where: adminMode ? {} : { ownerId: sub },
    order: { createdAt: 'asc', id: 'asc' },
  });
  return configs.toSorted((a, b) => Number(b.ownerId === sub) - Number(a.ownerId === sub));
}

export const configMissing = () =>
  new AppError('conflict', {
    message: 'Cloudflare n’est pas configuré\u00a0: enregistrez vos identifiants dans l’onglet Configuration.',
    code: 'config_missing',
  });

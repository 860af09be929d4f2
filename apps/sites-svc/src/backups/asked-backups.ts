import { Injectable } from '@nestjs/common';
import type { BackupInput } from '@vigie/contracts/backups';
import type { Contract } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import type { JobTicket } from '@vigie/contracts/jobs';
import type { RestoreInput } from '@vigie/contracts/restores';
import { Creations } from '@vigie/service-kit/creations';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import type { Ground } from '../changes/grounds';
import { ticketOf } from '../jobs/asked-looks';
import { Jobs } from '../jobs/jobs';
import { siteAccess, siteTarget } from '../sites/site-access';
import { auditBackups } from './audit-backups';
import { holdGround, placeOf } from './grounds';
import { findOpenBackup } from './open-backups';

type BackupKind = `backups.${'create' | 'download' | 'import' | 'restore' | 'verify'}`;
type Wish = { kind: BackupKind } & Pick<BackupInput, 'filename'> &
  Partial<Pick<BackupInput, 'location' | 'exclude_cache' | 'object'>> & {
    restore?: Pick<RestoreInput, 'mode' | 'scope' | 'path' | 'safety'>;
  };

/** Work on backups that somebody asks for. The same asked again while it is under way is that one. */
@Injectable()
export class AskedBackups {
  constructor(
    private readonly database: DataSource,
    private readonly jobs: Jobs,
    private readonly creations: Creations,
  ) {}

  /** What `find` refuses is refused only once it is known not to be there already. */
  async one(
    contract: Contract,
    input: { id: string },
    find: (manager: EntityManager, ground: Ground) => Promise<Wish | AppError>,
  ): Promise<JobTicket> {
    const ticket = await this.database.transaction(async (manager) => {
      const ground = await holdGround(manager, input.id);
      const order = await orderOf(manager, ground, find);
      const found = order instanceof AppError ? undefined : order;
      const open = found && (await findOpenBackup(manager, { ...found, siteId: input.id }));
      const id = open ?? uuid();
      const known = await this.creations.claim(manager, contract, input, id);
      if (known !== undefined || open !== undefined) return ticketOf(manager, known ?? id);
      if (order instanceof AppError) throw order;
      await this.jobs.add(manager, { ...order, id, on: siteTarget(ground), queue: 'site-transfers' });
      await auditBackups(manager, [id]);
      return ticketOf(manager, id);
    });
    this.jobs.announce();
    return ticket;
  }
}

async function orderOf(
  manager: EntityManager,
  ground: Ground,
  find: (manager: EntityManager, ground: Ground) => Promise<Wish | AppError>,
) {
  const access = siteAccess(ground, false);
  if (access instanceof AppError) return access;
  const wish = await find(manager, ground);
  if (wish instanceof AppError) return wish;
  const { kind, filename, location = 'remote', exclude_cache: withoutCache = true, object = null, restore } = wish;
  const backup = { ...placeOf(ground), filename, location, exclude_cache: withoutCache, object } satisfies BackupInput;
  const isExclusive = kind === 'backups.create' || kind === 'backups.restore';
  const isHeavy = kind === 'backups.restore' || kind === 'backups.import';
  return { kind, about: filename, input: { ...backup, ...restore }, isExclusive, isHeavy };
}

import { Injectable } from '@nestjs/common';
import type { BackupInput } from '@vigie/contracts/backups';
import type { Contract } from '@vigie/contracts/contract';
import { AppError } from '@vigie/contracts/errors';
import type { BackupKind, JobTicket } from '@vigie/contracts/jobs';
import type { RestoreInput } from '@vigie/contracts/restores';
import type { EntityManager } from 'typeorm';
import { Asked } from '../jobs/asked';
import { Job } from '../jobs/job.entity';
import { Jobs } from '../jobs/jobs';
import { type Ground, holdGround, placeOf } from '../sites/grounds';
import { siteAccess, siteTarget } from '../sites/site-access';
import { auditBackups } from './audit-backups';
import { newName } from './new-name';
import { findOpenBackup, findOpenCreations, isBackingUp } from './open-backups';

type Wish = { kind: BackupKind } & Pick<BackupInput, 'filename'> &
  Partial<Pick<BackupInput, 'location' | 'exclude_cache' | 'object'>> & {
    restore?: Pick<RestoreInput, 'mode' | 'scope' | 'path' | 'safety'>;
  };

/** Work on backups that somebody asks for. The same asked again while it is under way is that one. */
@Injectable()
export class AskedBackups {
  constructor(
    private readonly jobs: Jobs,
    private readonly asked: Asked,
  ) {}

  /** What `find` refuses is refused only once it is known not to be there already. */
  one(
    contract: Contract,
    input: { id: string },
    find: (manager: EntityManager, ground: Ground) => Promise<Wish | AppError>,
  ): Promise<JobTicket> {
    return this.asked.once(contract, input, async (manager) => {
      const ground = await holdGround(manager, input.id);
      const order = await orderOf(manager, ground, find);
      const found = order instanceof AppError ? undefined : order;
      return {
        open: found && (await findOpenBackup(manager, { ...found, siteId: input.id })),
        begin: async (id) => {
          if (order instanceof AppError) throw order;
          await this.jobs.add(manager, { ...order, id, on: siteTarget(ground), queue: 'site-transfers' });
          await auditBackups(manager, [id]);
        },
      };
    });
  }

  /** New ones of several sites, as a batch; what cannot be backed up is a line of it too, with its reason. */
  create(
    contract: Contract,
    input: { exclude_cache: boolean },
    find: (manager: EntityManager) => Promise<readonly Ground[]>,
  ): Promise<JobTicket> {
    return this.asked.once(contract, input, async (manager) => {
      const grounds = await find(manager);
      const opens = await findOpenCreations(
        manager,
        grounds.map(({ site }) => site.id),
      );
      const batches = new Set(
        grounds.map(({ site }) => {
          const open = opens.get(site.id);
          return open?.exclude_cache === input.exclude_cache ? open.batch_id : null;
        }),
      );
      const [shared] = batches;
      return {
        open: batches.size === 1 ? (shared ?? undefined) : undefined,
        begin: (id) => this.beginAll(manager, id, creationsOf(grounds, opens, input.exclude_cache)),
      };
    });
  }

  private async beginAll(manager: EntityManager, id: string, orders: readonly Creation[]) {
    const [first] = orders;
    if (first?.refusal && orders.every(({ refusal }) => refusal)) {
      if (orders.length === 1) throw first.refusal;
      const sentence = `Aucun de ces sites ne peut être sauvegardé. ${first.on.name}\u00a0: ${first.refusal.message}`;
      throw new AppError('conflict', sentence);
    }
    const kind: BackupKind = 'backups.create';
    await this.jobs.addBatch(manager, { id, kind, orders, queue: 'site-transfers', isExclusive: true });
    const made = await manager.find(Job, { where: { batchId: id, state: 'queued' }, select: { id: true } });
    await auditBackups(
      manager,
      made.map((job) => job.id),
    );
  }
}

type Creation = ReturnType<typeof creationsOf>[number];

const creationsOf = (
  grounds: readonly Ground[],
  opens: Awaited<ReturnType<typeof findOpenCreations>>,
  withoutCache: boolean,
) =>
  grounds.map((ground) => {
    const filename = newName(ground.site.url);
    const place = { filename, location: 'remote', exclude_cache: withoutCache, object: null } as const;
    return {
      on: siteTarget(ground),
      about: filename,
      input: { ...placeOf(ground), ...place } satisfies BackupInput,
      refusal: refuseCreation(ground, opens),
    };
  });

/** Why a site cannot be backed up now. */
export function refuseCreation(ground: Ground, opens: ReadonlyMap<string, unknown>): AppError | undefined {
  const access = siteAccess(ground, false);
  if (access instanceof AppError) return access;
  return opens.has(ground.site.id) ? isBackingUp() : undefined;
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

import { changeCodes } from '@vigie/contracts/change-codes';
import { ChangeOutcome, ChangeInput } from '@vigie/contracts/changes';
import type { EntityManager } from 'typeorm';
import { recordJobActivity } from '../activity/audit-events';
import type { JobOutcome, Job } from '../queue/job.entity';
import { activityTypeOf } from './audit-changes';
import { RollbackCopy } from '../items/rollback-copy.entity';

/** Failures after the change had begun on the site. */
const touchingCodes: readonly (string | undefined)[] = [
  changeCodes.rolledBack,
  changeCodes.notRolledBack,
  changeCodes.interrupted,
];

type FinishedChange = { job: Job; siteId: string; input: ChangeInput; changeOutcome: ChangeOutcome | undefined };

/** Stores a change's rollback copy and licence failure, and adds a line to the feed. */
export async function saveChangeResult(manager: EntityManager, job: Job, outcome: JobOutcome): Promise<JobOutcome> {
  const { success, data: input } = ChangeInput.safeParse(job.input);
  const siteId = success ? await lockSiteForKeyShare(manager, input.site.id) : undefined;
  if (!success || siteId === undefined) return outcome;
  const report = outcome.state === 'succeeded' ? outcome.result : Object(outcome.error).change;
  const changeOutcome = ChangeOutcome.safeParse(report).data;
  const change = { job, siteId, input, changeOutcome };
  const hasTouchedSite = changeOutcome !== undefined || touchingCodes.includes(outcome.error?.code);
  if (outcome.state === 'succeeded' || hasTouchedSite || isEffectUnknown(job, outcome))
    await recordChangeActivity(manager, change, outcome);
  await saveRollbackCopy(manager, change, outcome);
  await saveLicenceFailure(manager, change, outcome);
  return outcome;
}

/** The change may have happened, so the feed must mention it. */
const isEffectUnknown = (job: Job, { state }: JobOutcome) => state === 'unknown' && job.startedAt !== null;

/** Undefined for a site that was deleted meanwhile. */
async function lockSiteForKeyShare(manager: EntityManager, siteId: string): Promise<string | undefined> {
  const [site]: { id: string }[] = await manager.query('select id from sites where id = $1 for key share', [siteId]);
  return site?.id;
}

async function recordChangeActivity(
  manager: EntityManager,
  { job, siteId, input, changeOutcome }: FinishedChange,
  { state, error }: JobOutcome,
) {
  const { item } = input;
  await recordJobActivity(manager, job, {
    type: activityTypeOf(job.kind, item.kind),
    siteId,
    details: {
      kind: item.kind,
      slug: item.slug,
      name: changeOutcome?.name ?? item.name,
      from: changeOutcome ? changeOutcome.from : input.from,
      to: changeOutcome && state === 'succeeded' ? changeOutcome.to : input.to,
      state,
      ...(error && { reason: error.message, code: error.code, still: Object(error).still }),
      ...(job.kind === 'changes.restore' && { restored: true }),
    },
  });
}

/** An item has one rollback copy, the newest. A restore consumes the copy that it restores. */
async function saveRollbackCopy(
  manager: EntityManager,
  { siteId, input, changeOutcome }: FinishedChange,
  { error }: JobOutcome,
): Promise<void> {
  if (error?.code === changeCodes.copyGone && input.aside_id !== null) {
    await manager.delete(RollbackCopy, { id: input.aside_id });
  }
  if (!changeOutcome?.aside) return;
  const { item } = input;
  const { kind, slug } = item;
  const { id, version, bytes, made_at: at, has_tables: hasTables } = changeOutcome.aside;
  await manager.delete(RollbackCopy, { siteId, kind, slug });
  const row = { id, siteId, kind, slug, version, bytes: String(bytes), madeAt: new Date(at), hasTables };
  await manager.createQueryBuilder().insert().into(RollbackCopy).values(row).orIgnore().execute();
}

/** A licence failure holds until an update succeeds, another version is offered, or a week has passed. */
async function saveLicenceFailure(
  manager: EntityManager,
  { job, siteId, input }: FinishedChange,
  { state, error }: JobOutcome,
) {
  const { kind, slug } = input.item;
  const isUpdate = job.kind === 'changes.update';
  if (state === 'succeeded' && (isUpdate || job.kind === 'changes.install')) {
    await manager.query('delete from site_licences where (site_id, kind, slug) = ($1, $2, $3)', [siteId, kind, slug]);
  } else if (state === 'failed' && isUpdate && error?.code === changeCodes.licence) {
    await manager.query(
      `insert into site_licences (site_id, kind, slug, version) values ($1, $2, $3, $4)
       on conflict (site_id, kind, slug) do update set version = excluded.version, since = now()`,
      [siteId, kind, slug, input.to],
    );
  }
}

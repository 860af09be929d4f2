import { changeCodes, ChangeOutcome, ChangeInput } from '@vigie/contracts/changes';
import type { EntityManager } from 'typeorm';
import { recordEnd } from '../activity/doings';
import type { Ending, Job } from '../jobs/job.entity';
import { activityTypeOf } from './activity-types';
import { Aside } from './aside.entity';

/** What was begun on the site before it failed. */
const touching: readonly (string | undefined)[] = [
  changeCodes.rolledBack,
  changeCodes.notRolledBack,
  changeCodes.interrupted,
];

type Change = { job: Job; siteId: string; input: ChangeInput; done: ChangeOutcome | undefined };

/** What follows from the end of a change: a line of the feed, the copy that was put aside, and what its licence allows. */
export async function keepChange(manager: EntityManager, job: Job, ending: Ending): Promise<Ending> {
  const { success, data: input } = ChangeInput.safeParse(job.input);
  const siteId = success ? await heldSite(manager, input.site.id) : undefined;
  if (!success || siteId === undefined) return ending;
  const told = ending.state === 'succeeded' ? ending.result : Object(ending.error).change;
  const done = ChangeOutcome.safeParse(told).data;
  const change = { job, siteId, input, done };
  const hasTouched = done !== undefined || touching.includes(ending.error?.code);
  if (ending.state === 'succeeded' || hasTouched || isUnknown(job, ending)) await tell(manager, change, ending);
  await keepAside(manager, change, ending);
  await keepLicence(manager, change, ending);
  return ending;
}

/** What it did is not known: that it may have is told. */
const isUnknown = (job: Job, { state }: Ending) => state === 'unknown' && job.startedAt !== null;

/** Undefined where it was deleted meanwhile. */
async function heldSite(manager: EntityManager, id: string): Promise<string | undefined> {
  const [site]: { id: string }[] = await manager.query('select id from sites where id = $1 for key share', [id]);
  return site?.id;
}

async function tell(manager: EntityManager, { job, siteId, input, done }: Change, { state, error }: Ending) {
  const { item } = input;
  await recordEnd(manager, job, {
    type: activityTypeOf(job.kind, item.kind),
    siteId,
    details: {
      kind: item.kind,
      slug: item.slug,
      name: done?.name ?? item.name,
      from: done ? done.from : input.from,
      to: done && state === 'succeeded' ? done.to : input.to,
      state,
      ...(error && { reason: error.message, code: error.code }),
      ...(job.kind === 'changes.restore' && { restored: true }),
    },
  });
}

/** The newest of each item is the only one to be had back; what was put back was its own copy, which is gone. */
async function keepAside(manager: EntityManager, { siteId, input, done }: Change, { error }: Ending): Promise<void> {
  if (error?.code === changeCodes.copyGone && input.aside_id !== null) {
    await manager.delete(Aside, { id: input.aside_id });
  }
  if (!done?.aside) return;
  const { item } = input;
  const { kind, slug } = item;
  const { id, version, bytes, made_at: at, has_tables: hasTables } = done.aside;
  await manager.delete(Aside, { siteId, kind, slug });
  const row = { id, siteId, kind, slug, version, bytes: String(bytes), madeAt: new Date(at), hasTables };
  await manager.createQueryBuilder().insert().into(Aside).values(row).orIgnore().execute();
}

/** Missing until it is not, another version is offered, or a week has gone by. */
async function keepLicence(manager: EntityManager, { job, siteId, input }: Change, { state, error }: Ending) {
  const { kind, slug } = input.item;
  const isOffer = job.kind === 'changes.update';
  if (state === 'succeeded' && (isOffer || job.kind === 'changes.install')) {
    await manager.query('delete from site_licences where (site_id, kind, slug) = ($1, $2, $3)', [siteId, kind, slug]);
  } else if (state === 'failed' && isOffer && error?.code === changeCodes.licence) {
    await manager.query(
      `insert into site_licences (site_id, kind, slug, version) values ($1, $2, $3, $4)
       on conflict (site_id, kind, slug) do update set version = excluded.version, since = now()`,
      [siteId, kind, slug, input.to],
    );
  }
}

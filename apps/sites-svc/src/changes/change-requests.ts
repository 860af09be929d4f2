import { changeCodes } from '@vigie/contracts/change-codes';
import { changedPlan, isPlanChanged } from '@vigie/contracts/changed-plans';
import type { ChangeInput } from '@vigie/contracts/changes';
import { AppError } from '@vigie/contracts/errors';
import type { ChangeKind } from '@vigie/contracts/jobs';
import type { JobTarget } from '../queue/jobs';
import type { SiteContext } from '../sites/site-contexts';
import { siteAccess, siteTarget, toSiteToRead } from '../sites/site-access';
import type { Upload } from '../uploads/upload.entity';
import type { RollbackCopy } from '../items/rollback-copy.entity';
import { toPackage } from './locked-uploads';
import {
  refuseActivation,
  refuseDeactivation,
  refuseFiles,
  refuseRequirements,
  refuseUpdate,
  unknownItem,
  unlessUncertain,
} from './refusals';
import type { InstalledItem } from '../items/installed-items';

/** The job that a change would be, and the reason why it is refused. */
export type ChangeRequest = {
  kind: ChangeKind;
  target: JobTarget;
  input: ChangeInput;
  about: string;
  isExclusive: true;
  refusal: AppError | undefined;
};

type RequestedChange = Pick<ChangeInput, 'item' | 'from' | 'to'> & Partial<ChangeInput>;

function toChangeRequest(
  context: SiteContext,
  kind: ChangeKind,
  about: string,
  change: RequestedChange,
  refusal: AppError | undefined,
): ChangeRequest {
  const access = siteAccess(context, false);
  const site = toSiteToRead(context.site);
  return {
    kind,
    target: siteTarget(context),
    input: { package: null, activate: false, aside_id: null, ...change, site },
    about,
    isExclusive: true,
    refusal: access instanceof AppError ? access : refusal,
  };
}

/** `Vitrine 1.2.0 → 1.3.0`. */
export const fromTo = (name: string, from: string | null, to: string | null) =>
  [name, from, '→', to ?? 'nouvelle version'].filter((part) => part !== null).join(' ');

type ItemRef = Pick<ChangeInput['item'], 'kind' | 'slug'>;

const nameOf = ({ slug }: ItemRef, installed: InstalledItem | undefined) => installed?.name ?? slug;

export function toUpdateRequest(
  context: SiteContext,
  { kind, slug }: ItemRef,
  installed?: InstalledItem,
): ChangeRequest {
  const item = { kind, slug, name: nameOf({ kind, slug }, installed) };
  const [from, to] = [installed?.version ?? null, installed?.new_version ?? null];
  const refuse = () => (installed ? refuseUpdate(installed) : unknownItem(kind));
  const refusal = unlessUncertain(context, refuse) ?? refuseFiles(context);
  return toChangeRequest(context, 'changes.update', fromTo(item.name, from, to), { item, from, to }, refusal);
}

export function toInstallRequest(
  context: SiteContext,
  upload: Upload,
  installed: InstalledItem | undefined,
  activate: boolean,
): ChangeRequest {
  const item = { kind: upload.type, slug: upload.slug, name: upload.name };
  const from = installed?.version ?? null;
  const change = { item, from, to: upload.version, package: toPackage(upload), activate };
  const refusal = refuseFiles(context) ?? refuseRequirements(upload, context);
  return toChangeRequest(context, 'changes.install', upload.filename, change, refusal);
}

export function toActivationRequest(
  context: SiteContext,
  { kind, slug }: ItemRef,
  installed: InstalledItem | undefined,
  isActivation: boolean,
): ChangeRequest {
  const item = { kind, slug, name: nameOf({ kind, slug }, installed) };
  const refuse = isActivation ? refuseActivation : refuseDeactivation;
  const refusal = unlessUncertain(context, () => (installed ? refuse(installed) : unknownItem(kind)));
  const change = { item, from: installed?.version ?? null, to: installed?.version ?? null };
  return toChangeRequest(context, isActivation ? 'changes.activate' : 'changes.deactivate', item.name, change, refusal);
}

export function toRestoreRequest(
  context: SiteContext,
  { kind, slug }: ItemRef,
  installed: InstalledItem | undefined,
  rollbackCopy: RollbackCopy | null,
): ChangeRequest {
  const item = { kind, slug, name: nameOf({ kind, slug }, installed) };
  const [from, to] = [installed?.version ?? null, rollbackCopy?.version ?? null];
  const change = { item, from, to, aside_id: rollbackCopy?.id ?? null };
  const refusal = rollbackCopy ? refuseFiles(context) : noRollbackCopy(item.name);
  const version = rollbackCopy?.version ? ` ${rollbackCopy.version}` : ' précédente';
  return toChangeRequest(context, 'changes.restore', `${item.name}, retour à la version${version}`, change, refusal);
}

const noRollbackCopy = (name: string) =>
  new AppError('conflict', `Aucune version précédente de ${name} n’est conservée\u00a0: les copies le sont 7 jours.`);

const maxRefusals = 50;

/** Refuses a selection of which nothing is possible. */
export function nothingPossible(lines: readonly ChangeRequest[]): AppError {
  const [first] = lines;
  const refusals = lines.slice(0, maxRefusals).map(({ target, input: { item }, refusal }) => ({
    site_id: target.id,
    site_name: target.name,
    kind: item.kind,
    slug: item.slug,
    name: item.name,
    message: refusal?.message,
  }));
  return new AppError('conflict', {
    message: `Rien de cette sélection ne peut être fait. ${first?.target.name}, ${first?.input.item.name}\u00a0: ${first?.refusal?.message}`,
    code: lines.some(({ refusal }) => isPlanChanged(refusal)) ? changedPlan : changeCodes.refused,
    refusals,
  });
}

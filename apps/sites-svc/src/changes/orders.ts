import type { ChangeInput } from '@vigie/contracts/changes';
import { AppError } from '@vigie/contracts/errors';
import type { ChangeKind } from '@vigie/contracts/jobs';
import type { Target } from '../jobs/jobs';
import type { Ground } from '../sites/grounds';
import { siteAccess, siteTarget, toSiteToRead } from '../sites/site-access';
import type { Upload } from '../uploads/upload.entity';
import type { Aside } from './aside.entity';
import { fromTo } from './from-to';
import { toPackage } from './held-uploads';
import {
  refuseActivation,
  refuseDeactivation,
  refuseFiles,
  refuseRequirements,
  refuseUpdate,
  unknownItem,
  unlessUnsure,
} from './refusals';
import type { Ware } from './wares';

/** A change as it would be asked for, and why it must not be. */
export type Order = {
  kind: ChangeKind;
  on: Target;
  input: ChangeInput;
  about: string;
  refusal: AppError | undefined;
};

type Asked = Pick<ChangeInput, 'item' | 'from' | 'to'> & Partial<ChangeInput>;

function orderOn(ground: Ground, kind: ChangeKind, about: string, asked: Asked, refusal: AppError | undefined): Order {
  const access = siteAccess(ground, false);
  const site = toSiteToRead(ground.site);
  return {
    kind,
    on: siteTarget(ground),
    input: { package: null, activate: false, aside_id: null, ...asked, site },
    about,
    refusal: access instanceof AppError ? access : refusal,
  };
}

type Named = Pick<ChangeInput['item'], 'kind' | 'slug'>;

const nameOf = ({ slug }: Named, ware: Ware | undefined) => ware?.name ?? slug;

/** What is not known of the site is named as it was asked for. */
export function updateOf(ground: Ground, { kind, slug }: Named, ware: Ware | undefined): Order {
  const item = { kind, slug, name: nameOf({ kind, slug }, ware) };
  const [from, to] = [ware?.version ?? null, ware?.new_version ?? null];
  const refuse = () => (ware ? refuseUpdate(ware) : unknownItem(kind));
  const refusal = unlessUnsure(ground, refuse) ?? refuseFiles(ground);
  return orderOn(ground, 'changes.update', fromTo(item.name, from, to), { item, from, to }, refusal);
}

export function installOf(ground: Ground, upload: Upload, ware: Ware | undefined, activate: boolean): Order {
  const item = { kind: upload.type, slug: upload.slug, name: upload.name };
  const asked = { item, from: ware?.version ?? null, to: upload.version, package: toPackage(upload), activate };
  const refusal = refuseFiles(ground) ?? refuseRequirements(upload, ground);
  return orderOn(ground, 'changes.install', upload.filename, asked, refusal);
}

export function switchOf(ground: Ground, { kind, slug }: Named, ware: Ware | undefined, isOn: boolean): Order {
  const item = { kind, slug, name: nameOf({ kind, slug }, ware) };
  const refuse = isOn ? refuseActivation : refuseDeactivation;
  const refusal = unlessUnsure(ground, () => (ware ? refuse(ware) : unknownItem(kind)));
  const asked = { item, from: ware?.version ?? null, to: ware?.version ?? null };
  return orderOn(ground, isOn ? 'changes.activate' : 'changes.deactivate', item.name, asked, refusal);
}

export function restoreOf(ground: Ground, { kind, slug }: Named, ware: Ware | undefined, aside: Aside | null): Order {
  const item = { kind, slug, name: nameOf({ kind, slug }, ware) };
  const asked = { item, from: ware?.version ?? null, to: aside?.version ?? null, aside_id: aside?.id ?? null };
  const refusal = aside ? refuseFiles(ground) : noAside(item.name);
  const version = aside?.version ? ` ${aside.version}` : ' précédente';
  return orderOn(ground, 'changes.restore', `${item.name}, retour à la version${version}`, asked, refusal);
}

const noAside = (name: string) =>
  new AppError('conflict', `Aucune version précédente de ${name} n’est conservée\u00a0: les copies le sont 7 jours.`);

import { changeCodes } from '@vigie/contracts/change-codes';
import type { ItemKind } from '@vigie/contracts/changes';
import { AppError } from '@vigie/contracts/errors';
import type { SiteContext } from '../sites/site-contexts';
import { isUncertain } from '../sites/site-state';
import type { Upload } from '../uploads/upload.entity';
import type { InstalledItem } from '../items/installed-items';

/** Accepts a change whose refusal rests on uncertain state: the job asks WordPress itself first. */
export const unlessUncertain = ({ state }: SiteContext, refuse: () => AppError | undefined) =>
  isUncertain(state) ? undefined : refuse();

export const refuseFiles = (context: SiteContext) => unlessUncertain(context, () => forbiddenBy(context.state));

function forbiddenBy(state: SiteContext['state']): AppError | undefined {
  if (state?.forbids_changes) {
    return forbidden(
      'Ce site interdit les modifications de fichiers (DISALLOW_FILE_MODS).',
      'Retirez cette constante de wp-config.php, testez le site, puis recommencez.',
    );
  }
  if (state?.is_composer) {
    return forbidden(
      'Ce site est géré par Composer\u00a0: une modification faite ici serait perdue.',
      'Changez la version dans son composer.json, puis déployez-le.',
    );
  }
  if (state?.is_writable === false) {
    return forbidden(
      'Les fichiers de ce site ne peuvent pas être modifiés par l’utilisateur de connexion.',
      'Donnez-lui le droit d’écrire dans le dossier du site, testez le site, puis recommencez.',
    );
  }
  return undefined;
}

const forbidden = (message: string, remedy: string) =>
  new AppError('conflict', { message, remedy, code: changeCodes.forbidden });

const unknownMessages: Readonly<Record<ItemKind, string>> = {
  core: 'WordPress n’est pas connu sur ce site',
  plugin: 'Cette extension n’est pas connue sur ce site',
  theme: 'Ce thème n’est pas connu sur ce site',
};

export const unknownItem = (kind: ItemKind) =>
  new AppError('not_found', `${unknownMessages[kind]}\u00a0: actualisez son inventaire, puis recommencez.`);

/** Must-use plugins and drop-ins cannot be changed through WordPress. */
function refusePluginKind({ plugin_kind: pluginKind, name }: InstalledItem): AppError | undefined {
  if (pluginKind === 'regular') return undefined;
  const reason =
    pluginKind === 'must_use'
      ? 'est une extension indispensable (must-use)\u00a0: WordPress ne la gère pas'
      : 'est un fichier de remplacement (drop-in)\u00a0: WordPress ne le gère pas';
  return new AppError('invalid', `${name} ${reason}, ses fichiers se changent sur le serveur.`);
}

export function refuseUpdate(item: InstalledItem): AppError | undefined {
  if (refusePluginKind(item)) return refusePluginKind(item);
  if (!item.has_update) {
    return new AppError('conflict', {
      message: `Aucune mise à jour n’est proposée pour ${item.name}.`,
      remedy: 'Actualisez l’inventaire du site pour les chercher de nouveau.',
      code: changeCodes.nothingToDo,
    });
  }
  return item.is_blocked ? licenceRequired() : undefined;
}

const licenceRequired = () =>
  new AppError('conflict', { message: 'Mise à jour indisponible: licence requise', code: changeCodes.licence });

export function refuseActivation(item: InstalledItem): AppError | undefined {
  if (refusePluginKind(item)) return refusePluginKind(item);
  if (item.status !== 'active') return undefined;
  const message = item.kind === 'theme' ? `Le thème ${item.name} est déjà actif.` : `${item.name} est déjà active.`;
  return new AppError('invalid', message);
}

export function refuseDeactivation(item: InstalledItem): AppError | undefined {
  if (refusePluginKind(item)) return refusePluginKind(item);
  return item.status === 'inactive' ? new AppError('invalid', `${item.name} est déjà inactive.`) : undefined;
}

/** Reads `6.4` from `6.4-beta2`. Undefined for text that is no version: WordPress ignores it. */
function numbersOf(version: string | null): number[] | undefined {
  const [leading] = /^\d+(\.\d+)*/.exec(version?.trim() ?? '') ?? [];
  return leading?.split('.').map(Number);
}

/** Missing numbers count as zero: 6.4 equals 6.4.0. */
function isLower(actual: readonly number[], required: readonly number[]): boolean {
  const firstDifference = required.findIndex((number, position) => number !== (actual[position] ?? 0));
  return firstDifference >= 0 && (actual[firstDifference] ?? 0) < (required[firstDifference] ?? 0);
}

/** WordPress would refuse the archive only after the upload to the host. */
export function refuseRequirements({ requiresPhp, requiresWp }: Upload, { site }: SiteContext): AppError | undefined {
  const lacks = (required: string | null, actual: string | null) => {
    const [min, current] = [numbersOf(required), numbersOf(actual)];
    return min !== undefined && current !== undefined && isLower(current, min);
  };
  const refuse = (software: string, required: string | null, actual: string | null) =>
    new AppError('conflict', {
      message: `Cette archive demande ${software} ${required}, ce site a ${software} ${actual}.`,
      code: changeCodes.refused,
    });
  if (lacks(requiresPhp, site.phpVersion)) return refuse('PHP', requiresPhp, site.phpVersion);
  if (lacks(requiresWp, site.wpVersion)) return refuse('WordPress', requiresWp, site.wpVersion);
  return undefined;
}

import { changeCodes, type ItemKind } from '@vigie/contracts/changes';
import { AppError } from '@vigie/contracts/errors';
import type { Ground } from '../sites/grounds';
import { isUnsure } from '../sites/sure-facts';
import type { Upload } from '../uploads/upload.entity';
import type { Ware } from './wares';

/** Where nobody knows for sure what a site has, its change asks WordPress itself before it does anything. */
export const unlessUnsure = ({ facts }: Ground, refuse: () => AppError | undefined) =>
  isUnsure(facts) ? undefined : refuse();

/** What forbids that files of the site are changed, as it was last seen. */
export const refuseFiles = (ground: Ground) => unlessUnsure(ground, () => forbiddenBy(ground.facts));

function forbiddenBy(facts: Ground['facts']): AppError | undefined {
  if (facts?.forbids_changes) {
    return forbidden(
      'Ce site interdit les modifications de fichiers (DISALLOW_FILE_MODS).',
      'Retirez cette constante de wp-config.php, testez le site, puis recommencez.',
    );
  }
  if (facts?.is_composer) {
    return forbidden(
      'Ce site est géré par Composer\u00a0: une modification faite ici serait perdue.',
      'Changez la version dans son composer.json, puis déployez-le.',
    );
  }
  if (facts?.is_writable === false) {
    return forbidden(
      'Les fichiers de ce site ne peuvent pas être modifiés par l’utilisateur de connexion.',
      'Donnez-lui le droit d’écrire dans le dossier du site, testez le site, puis recommencez.',
    );
  }
  return undefined;
}

const forbidden = (message: string, remedy: string) =>
  new AppError('conflict', { message, remedy, code: changeCodes.forbidden });

const unknown: Readonly<Record<ItemKind, string>> = {
  core: 'WordPress n’est pas connu sur ce site',
  plugin: 'Cette extension n’est pas connue sur ce site',
  theme: 'Ce thème n’est pas connu sur ce site',
};

export const unknownItem = (kind: ItemKind) =>
  new AppError('not_found', `${unknown[kind]}\u00a0: actualisez son inventaire, puis recommencez.`);

/** Must-use plugins and drop-ins are shown, and never changed. */
function refuseSort({ sort, name }: Ware): AppError | undefined {
  if (sort === 'regular') return undefined;
  const why =
    sort === 'must_use'
      ? 'est une extension indispensable (must-use)\u00a0: WordPress ne la gère pas'
      : 'est un fichier de remplacement (drop-in)\u00a0: WordPress ne le gère pas';
  return new AppError('invalid', `${name} ${why}, ses fichiers se changent sur le serveur.`);
}

export function refuseUpdate(ware: Ware): AppError | undefined {
  if (refuseSort(ware)) return refuseSort(ware);
  if (!ware.has_update) {
    return new AppError('conflict', {
      message: `Aucune mise à jour n’est proposée pour ${ware.name}.`,
      remedy: 'Actualisez l’inventaire du site pour les chercher de nouveau.',
      code: changeCodes.nothingToDo,
    });
  }
  return ware.is_blocked ? licenceRequired() : undefined;
}

const licenceRequired = () =>
  new AppError('conflict', { message: 'Mise à jour indisponible: licence requise', code: changeCodes.licence });

export function refuseActivation(ware: Ware): AppError | undefined {
  if (refuseSort(ware)) return refuseSort(ware);
  if (ware.status !== 'active') return undefined;
  const is = ware.kind === 'theme' ? `Le thème ${ware.name} est déjà actif.` : `${ware.name} est déjà active.`;
  return new AppError('invalid', is);
}

export function refuseDeactivation(ware: Ware): AppError | undefined {
  if (refuseSort(ware)) return refuseSort(ware);
  return ware.status === 'inactive' ? new AppError('invalid', `${ware.name} est déjà inactive.`) : undefined;
}

/** `6.4` of `6.4-beta2`; undefined of what is no version, which WordPress takes for none. */
function numbersOf(version: string | null): number[] | undefined {
  const [leading] = /^\d+(\.\d+)*/.exec(version?.trim() ?? '') ?? [];
  return leading?.split('.').map(Number);
}

/** What stands at the end of the longer one counts where it is no zero: 6.4 is 6.4.0. */
function isBelow(has: readonly number[], wanted: readonly number[]): boolean {
  const at = wanted.findIndex((number, place) => number !== (has[place] ?? 0));
  return at >= 0 && (has[at] ?? 0) < (wanted[at] ?? 0);
}

/** WordPress would refuse it too, once it is there. */
export function refuseRequirements({ requiresPhp, requiresWp }: Upload, { site }: Ground): AppError | undefined {
  const lacks = (wanted: string | null, has: string | null) => {
    const [min, there] = [numbersOf(wanted), numbersOf(has)];
    return min !== undefined && there !== undefined && isBelow(there, min);
  };
  const refuse = (what: string, wanted: string | null, has: string | null) =>
    new AppError('conflict', {
      message: `Cette archive demande ${what} ${wanted}, ce site a ${what} ${has}.`,
      code: changeCodes.refused,
    });
  if (lacks(requiresPhp, site.phpVersion)) return refuse('PHP', requiresPhp, site.phpVersion);
  if (lacks(requiresWp, site.wpVersion)) return refuse('WordPress', requiresWp, site.wpVersion);
  return undefined;
}

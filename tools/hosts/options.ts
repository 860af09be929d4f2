import { Refusal, fr } from '../terminal';
import { isRelease, type Release, releases } from './debian';

const wordpress = 'libs/wordpress/src';
const backups = 'apps/ssh-agent/src/backups';

/** The test files of each part, as prefixes of their paths. */
export const parts = {
  read: [
    'libs/testing/src/fleet/',
    ...['inspect', 'boot', 'config', 'hostile', 'logs', 'php-input'].map((name) => `${wordpress}/${name}.`),
    'apps/sites-svc/src/sites/real-sites',
  ],
  changes: [
    `${wordpress}/change`,
    `${wordpress}/unpack`,
    'apps/ssh-agent/src/changes/changes',
    'apps/sites-svc/src/changes/real-changes',
  ],
  repairs: [`${wordpress}/repairs`, 'apps/sites-svc/src/site-repairs/'],
  packs: [`${backups}/pack`],
  restores: [
    `${backups}/restore`,
    ...['load', 'replace', 'staging', 'restore-check', 'leftover-tables', 'object-cache', 'read-rollback-copy'].map(
      (name) => `${wordpress}/${name}.`,
    ),
    'apps/sites-svc/src/backups/real-backups',
  ],
} as const;
type Part = keyof typeof parts | 'pairs';

export type HostsOptions = { releases: readonly Release[]; parts: readonly Part[] };

export const help = fr`Éprouve la lecture, les modifications, les réparations, les sauvegardes et les restaurations sur de vrais hôtes de trois
Debian : PHP, OpenSSH et MariaDB de chacune, avec les sites WordPress des tests.

  npm run hosts [-- 11 | 12 | 13] [${Object.keys(parts).join(' | ')} | pairs]

  11, 12, 13  la Debian, ou plusieurs ; les trois sans ce mot
  read        la recherche et la lecture des sites
  changes     les modifications et leur retour en arrière
  repairs     les réparations
  packs       les sauvegardes
  restores    les restaurations
  pairs       une sauvegarde faite sur chacune, restaurée sur chacune ; avec une seule Debian, sur elle-même

Il faut être root sur Debian ou Ubuntu. Les Debian sont faites par debootstrap, installé s’il manque, depuis les sources d’apt de
cette machine ; elles restent dans ~/.cache/vigie/bare (effacez ce dossier pour les refaire). Un message de PHP sur un
programme de Vigie est un échec. Le code de sortie est 0 si tout a été tenu, 1 sinon.
`;

const partNames = [...(Object.keys(parts) as (keyof typeof parts)[]), 'pairs'] as const;
const isPart = (word: string): word is Part => partNames.some((name) => name === word);

export function readHostsOptions(args: readonly string[]): HostsOptions | undefined {
  if (args.includes('--help') || args.includes('-h')) return undefined;
  const unknownWord = args.find((word) => !isRelease(word) && !isPart(word));
  if (unknownWord !== undefined)
    throw new Refusal(fr`Option inconnue : ${unknownWord} (npm run hosts -- --help les donne).`);
  const requestedReleases = args.filter(isRelease);
  const requestedParts = args.filter(isPart);
  return {
    releases: requestedReleases.length > 0 ? [...new Set(requestedReleases)] : (Object.keys(releases) as Release[]),
    parts: requestedParts.length > 0 ? [...new Set(requestedParts)] : partNames,
  };
}

import { Refusal, fr } from '../terminal';
import { isRelease, type Release, releases } from './debian';

/** The commands of the README, as arguments of npm. */
export const parts = { start: ['start'], demo: ['run', 'demo'], test: ['test'] } as const;
export type Part = keyof typeof parts;

export type BareOptions = { releases: readonly Release[]; part: Part };

export const help = fr`Éprouve une commande du README sur une Debian minimale, qui n’a que Node, npm et un clone du dernier commit.

  npm run bare [-- 12 | 13] [start | demo | test]

  12, 13  la Debian ; les deux, l’une après l’autre, sans ce mot
  start   npm start : attend l’adresse et le mot de passe, se connecte, puis arrête comme Ctrl-C (par défaut)
  demo    npm run demo : attend en plus les sites de la démonstration
  test    npm test : attend que tout soit réussi (une heure)

Il faut être root sur Debian ou Ubuntu. La Debian est faite par debootstrap, installé s’il manque, depuis les sources d’apt de cette
machine ; elle reste dans ~/.cache/vigie/bare (effacez ce dossier pour la refaire), et chaque essai en use une copie. Les
changements qui ne sont pas dans un commit n’y sont pas. Le code de sortie est 0 si tout a été tenu, 1 sinon.
`;

const isPart = (word: string): word is Part => Object.hasOwn(parts, word);

export function readBareOptions(args: readonly string[]): BareOptions | undefined {
  if (args.includes('--help') || args.includes('-h')) return undefined;
  const unknownWord = args.find((word) => !isRelease(word) && !isPart(word));
  if (unknownWord !== undefined)
    throw new Refusal(fr`Option inconnue : ${unknownWord} (npm run bare -- --help les donne).`);
  const requestedReleases = args.filter(isRelease);
  const [part = 'start', ...more] = args.filter(isPart);
  if (more.length > 0) throw new Refusal(fr`Une commande à la fois : ${part} ou ${more.join(' ou ')}.`);
  return {
    releases: requestedReleases.length > 0 ? [...new Set(requestedReleases)] : (Object.keys(releases) as Release[]),
    part,
  };
}

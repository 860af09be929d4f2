import { cleanText } from './clean';
import eachPhp from './each-php.sh';
import findPhpScript from './find-php.sh';
import { type Host, SiteFailure } from './host';

export type Php = { binary: string; version: string; hasMysqli: boolean };

/** For a script that calls `each_php`. */
export const withEachPhp = (script: string): string => `${eachPhp}\n${script}`;

const program = withEachPhp(findPhpScript);
const minVersion = [7, 4] as const;

/** Finds a command-line PHP on this host that can read sites; prefers the known one if it still works. */
export async function findPhp(host: Host, knownPhp: string | null, signal?: AbortSignal): Promise<Php> {
  const { stdout } = await host.run(program, {
    args: [knownPhp ?? ''],
    keep: { stdout: 16_384, stderr: 1_024 },
    maxBytes: 1_048_576,
    limits: { totalMs: 30_000 },
    signal,
    name: 'find-php.sh',
  });
  return choosePhp(stdout.bytes.toString());
}

/** Runs the work with the known PHP, or with another one where that is gone. */
export async function withPhp<T>(
  host: Host,
  knownPhp: string | null,
  work: (php: string) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const findAndRun = async () => work((await findPhp(host, knownPhp, signal)).binary);
  if (knownPhp === null) return findAndRun();
  return work(knownPhp).catch((error: unknown) => {
    if (error instanceof SiteFailure && error.code === 'no_php') return findAndRun();
    throw error;
  });
}

/** Chooses among the `php` lines of find-php.sh. As root, a PHP with posix can switch to any site's owner. */
export function choosePhp(output: string): Php {
  const lines = output.split('\n', 40);
  const all = lines.flatMap((line) => readPhp(line) ?? []);
  const usable = all.filter(({ isUsable }) => isUsable);
  const candidates = lines.includes('root') ? usable.filter(({ hasPosix }) => hasPosix) : usable;
  const [first] = [...candidates.filter(canUseMysqli), ...candidates, ...usable.filter(canUseMysqli), ...usable];
  if (first) return first.php;
  const refused = all.map(({ php, reply }) => `${cleanText(php.binary, 100)} (${reply || 'ne répond pas'})`).join(', ');
  throw new SiteFailure(
    'no_php',
    all.length === 0 ? 'Aucun PHP en ligne de commande n’a été trouvé.' : `Aucun PHP utilisable\u00a0: ${refused}.`,
    'Installez PHP 7.4 ou plus récent en ligne de commande, avec ses extensions json, tokenizer et mysqli (paquets php-cli et php-mysql).',
  );
}

type Candidate = { php: Php; isUsable: boolean; hasPosix: boolean; reply: string };
const canUseMysqli = ({ php }: Candidate) => php.hasMysqli;

function readPhp(line: string): Candidate | undefined {
  const [, reply = '', binary = ''] = /^php\t([^\t]*)\t(\/.{0,299})$/.exec(line) ?? [];
  if (binary === '' || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(binary)) return undefined;
  const [version = '', sapi = '', ...extensions] = reply.split(' ');
  const isVersion = /^\d{1,2}\.\d{1,3}[\w.+~-]{0,20}$/.test(version);
  const isComplete = extensions.includes('json') && extensions.includes('tokenizer');
  return {
    php: { binary, version, hasMysqli: extensions.includes('mysqli') },
    hasPosix: extensions.includes('posix'),
    isUsable: isVersion && isRecent(version) && sapi === 'cli' && isComplete,
    reply: cleanText(reply, 60),
  };
}

function isRecent(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > minVersion[0] || (major === minVersion[0] && minor >= minVersion[1]);
}

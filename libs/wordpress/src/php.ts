import { cleanText } from './clean';
import eachPhp from './each-php.sh';
import finding from './find-php.sh';
import { type Host, SiteFailure } from './host';

export type Php = { binary: string; version: string; hasMysqli: boolean };

/** For a script that calls `each_php`. */
export const withEachPhp = (script: string): string => `${eachPhp}\n${script}`;

const program = withEachPhp(finding);
const oldest = [7, 4] as const;

/** Finds a command-line PHP on this host that can read sites; prefers the known one if it still works. */
export async function findPhp(host: Host, known: string | null, signal?: AbortSignal): Promise<Php> {
  const { stdout } = await host.run(program, {
    args: [known ?? ''],
    keep: { stdout: 16_384, stderr: 1_024 },
    mostBytes: 1_048_576,
    limits: { totalMs: 30_000 },
    signal,
    name: 'find-php.sh',
  });
  return choosePhp(stdout.bytes.toString());
}

/** Runs the work with the known PHP, or with another one where that is gone. */
export async function withPhp<T>(
  host: Host,
  known: string | null,
  work: (php: string) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const again = async () => work((await findPhp(host, known, signal)).binary);
  if (known === null) return again();
  return work(known).catch((error: unknown) => {
    if (error instanceof SiteFailure && error.code === 'no_php') return again();
    throw error;
  });
}

/** Chooses among the `php` lines of find-php.sh. As root, a PHP with posix can switch to any site's owner. */
export function choosePhp(output: string): Php {
  const lines = output.split('\n', 40);
  const all = lines.flatMap((line) => readPhp(line) ?? []);
  const usable = all.filter(({ isUsable }) => isUsable);
  const acting = lines.includes('root') ? usable.filter(({ hasPosix }) => hasPosix) : usable;
  const [first] = [...acting.filter(withMysqli), ...acting, ...usable.filter(withMysqli), ...usable];
  if (first) return first.php;
  const found = all.map(({ php, said }) => `${cleanText(php.binary, 100)} (${said || 'ne répond pas'})`).join(', ');
  throw new SiteFailure(
    'no_php',
    all.length === 0 ? 'Aucun PHP en ligne de commande n’a été trouvé.' : `Aucun PHP utilisable\u00a0: ${found}.`,
    'Installez PHP 7.4 ou plus récent en ligne de commande, avec ses extensions json, tokenizer et mysqli (paquets php-cli et php-mysql).',
  );
}

type Candidate = { php: Php; isUsable: boolean; hasPosix: boolean; said: string };
const withMysqli = ({ php }: Candidate) => php.hasMysqli;

function readPhp(line: string): Candidate | undefined {
  const [, said = '', binary = ''] = /^php\t([^\t]*)\t(\/.{0,299})$/.exec(line) ?? [];
  if (binary === '' || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(binary)) return undefined;
  const [version = '', sapi = '', ...extensions] = said.split(' ');
  const isKnown = /^\d{1,2}\.\d{1,3}[\w.+~-]{0,20}$/.test(version);
  const isComplete = extensions.includes('json') && extensions.includes('tokenizer');
  return {
    php: { binary, version, hasMysqli: extensions.includes('mysqli') },
    hasPosix: extensions.includes('posix'),
    isUsable: isKnown && isRecent(version) && sapi === 'cli' && isComplete,
    said: cleanText(said, 60),
  };
}

function isRecent(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > oldest[0] || (major === oldest[0] && minor >= oldest[1]);
}

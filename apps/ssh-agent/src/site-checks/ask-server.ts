import { isIP } from 'node:net';
import type { Input } from '@vigie/contracts/contract';
import type { OpinionAnswer } from '@vigie/contracts/incidents';
import { forbiddenAddress } from '@vigie/contracts/sites';
import type { askServer } from '@vigie/contracts/site-checks';
import { outboundRule } from '@vigie/ssh/addresses';
import type { Connection } from '@vigie/ssh/connection';
import { isUnrelatedToHost, SshFailure } from '@vigie/ssh/failure';
import { runScript } from '@vigie/ssh/script';
import { onDescriptor4 } from '@vigie/wordpress/run-php';
import type { Connections } from '../connections';
import askAddressByPhp from './ask-address.php';
import askAddress from './ask-address.sh';
import { userAgent } from './visit';

const hostMs = 22_000;
/** The tools themselves stop after ten seconds. */
const bounds = { keep: { stdout: 1_024, stderr: 1_024 }, maxBytes: 1_048_576, limits: { totalMs: 15_000 } };
const script = `${onDescriptor4(askAddressByPhp)}\n${askAddress}`;
/** Link-local and metadata addresses are refused; an address of the server's own network is the server's business. */
const isAllowed = outboundRule({ allowsPrivate: true, ranges: [] });

/** Why a site does not answer a server, by the words of the script. */
const noAnswers: Readonly<Record<string, string>> = {
  unresolved: 'Ce serveur ne trouve pas d’adresse au nom du site.',
  unreachable: 'La connexion au site est refusée, ou aucun chemin n’y mène.',
  late: 'Le site n’a pas répondu en 10\u00a0s.',
  certificate: 'Le certificat du site n’est pas valable pour ce serveur.',
  encryption: 'La connexion chiffrée avec le site a échoué.',
  protocol: 'Ce qui répond à cette adresse ne parle pas HTTP.',
  failed: 'Le site ne répond pas.',
};

/** Requests an address from a host. A code of null means that the host could not be asked. */
export async function askFromServer(
  connections: Pick<Connections, 'use'>,
  { access, url }: Input<typeof askServer>,
): Promise<OpinionAnswer> {
  const address = addressOf(url);
  if (address === undefined) return notAsked('Cette adresse n’est ni en http ni en https.');
  if (!mayBeAsked(address)) return notAsked(forbiddenAddress);
  const work = async (connection: Connection) => {
    const args = [address.href, userAgent];
    const { stdout } = await runScript(connection, script, { ...bounds, args, name: 'ask-address.sh' });
    return readAnswer(stdout.bytes.toString());
  };
  try {
    return await connections.use(access, { signal: AbortSignal.timeout(hostMs), work });
  } catch (error) {
    if (!(error instanceof SshFailure)) throw error;
    return notAsked(isUnrelatedToHost(error) ? 'Le serveur n’a pas répondu à temps.' : error.message);
  }
}

/** As a parsed address it has no spaces and quotes any more, and begins with its scheme. */
function addressOf(url: string): URL | undefined {
  if (url.length > 2_048 || !URL.canParse(url)) return undefined;
  const address = new URL(url);
  if (address.protocol !== 'http:' && address.protocol !== 'https:') return undefined;
  address.username = '';
  address.password = '';
  address.hash = '';
  return address;
}

function mayBeAsked({ hostname }: URL): boolean {
  const literal = hostname.replace(/^\[|\]$/g, '');
  return isIP(literal) === 0 || isAllowed(literal);
}

const notAsked = (error: string): OpinionAnswer => ({ code: null, ms: null, error });

/** Reads one line that a host may have made up. */
export function readAnswer(output: string): OpinionAnswer {
  const line = output.trim();
  const [, code, seconds] = /^([1-9]\d\d) (\d{1,4}(?:\.\d{1,9})?)$/.exec(line) ?? [];
  if (code !== undefined) return { code: Number(code), ms: Math.round(Number(seconds) * 1_000), error: null };
  if (Object.hasOwn(noAnswers, line)) return { code: 0, ms: null, error: noAnswers[line] ?? null };
  return notAsked(
    line === 'no-tool'
      ? 'Ce serveur n’a ni curl, ni wget, ni PHP pour interroger le site.'
      : 'Ce serveur n’a pas pu interroger le site.',
  );
}

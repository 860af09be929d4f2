import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Env } from './env';
import { Failure, usage } from './failures';

/** Where Vigie is, and the token that opens it. */
export type Access = { url: string; token: string };

const folderOf = ({ configHome, home }: Env): string => {
  if (configHome !== undefined) return join(configHome, 'vigie');
  if (home !== undefined) return join(home, '.config', 'vigie');
  throw usage(
    'Ni XDG_CONFIG_HOME ni HOME ne disent où garder le jeton\u00a0: donnez VIGIE_URL et VIGIE_TOKEN.',
    'Neither XDG_CONFIG_HOME nor HOME says where to keep the token: set VIGIE_URL and VIGIE_TOKEN.',
  );
};
export const configFile = (env: Env): string => join(folderOf(env), 'config.json');

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** The address without its path, as every call needs it. */
export function originOf(text: string): string {
  const address = /^https?:\/\//i.test(text) ? text : `https://${text}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || url.username !== '' || url.password !== '')
    throw usage(`Cette adresse n’est pas valide\u00a0: ${text}`, `This address is not valid: ${text}`);
  return url.origin;
}

/** Of this machine or of a private network, where nobody else listens. */
const isPrivateHost = (host: string): boolean =>
  host === 'localhost' ||
  host.endsWith('.localhost') ||
  (/^[\d.]+$/.test(host) && /^(?:127|10|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01]))\./.test(host)) ||
  /^\[(?:::1|f[cd]|fe80)/i.test(host);

/** A token that crosses a public network unencrypted is a token that others have. */
export const isExposed = (origin: string): boolean => {
  const { protocol, hostname } = new URL(origin);
  return protocol === 'http:' && !isPrivateHost(hostname);
};

/** What can stand in the header of a request. */
const isToken = (text: string): boolean => /^[!-~]+$/.test(text);

const isAccess = (value: unknown): value is Access =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Access).url === 'string' &&
  typeof (value as Access).token === 'string' &&
  isToken((value as Access).token);

function readConfig(env: Env): Access | undefined {
  const file = configFile(env);
  try {
    if ((statSync(file).mode & 0o077) !== 0)
      throw new Failure('refused', {
        fr: `D’autres que vous peuvent lire ${file}\u00a0: chmod 600 ${file}`,
        en: `Others can read ${file}: chmod 600 ${file}`,
      });
    const access: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (isAccess(access)) return { url: originOf(access.url), token: access.token };
  } catch (error) {
    if (isMissing(error)) return undefined;
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new Failure('failed', {
    fr: `${file} est abîmé\u00a0: refaites «\u00a0vigie login\u00a0».`,
    en: `${file} is damaged: run “vigie login” again.`,
  });
}

/** From the shell, or from the file of `vigie login`. A token is never sent to an address that was not given with it. */
export function readAccess(env: Env): Access {
  const { url } = env;
  const token = env.token?.trim();
  if (token !== undefined && url === undefined)
    throw usage('VIGIE_TOKEN demande aussi VIGIE_URL.', 'VIGIE_TOKEN also needs VIGIE_URL.');
  if (token !== undefined && !isToken(token))
    throw usage(
      'VIGIE_TOKEN contient un espace, un retour à la ligne ou un autre caractère qu’un jeton n’a pas.',
      'VIGIE_TOKEN holds a space, a line break or another character that no token has.',
    );
  if (token !== undefined && url !== undefined) return { url: originOf(url), token };
  const stored = readConfig(env);
  if (stored && (url === undefined || originOf(url) === stored.url)) return stored;
  throw new Failure('refused', {
    fr: 'Pas de jeton pour cette adresse\u00a0: lancez «\u00a0vigie login URL\u00a0», ou donnez VIGIE_URL et VIGIE_TOKEN.',
    en: 'No token for this address: run “vigie login URL”, or set VIGIE_URL and VIGIE_TOKEN.',
  });
}

/**
 * Makes the folder and a draft of the file, which `save` puts into its place by a rename, so that no reader sees half
 * of it. `discard` removes the draft when no token came.
 */
export function prepareConfig(env: Env): { save: (access: Access) => void; discard: () => void } {
  const folder = folderOf(env);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  const draft = join(folder, `config.json.${crypto.randomUUID()}`);
  // `wx` refuses a file or a link that stands there already.
  writeFileSync(draft, '', { mode: 0o600, flag: 'wx' });
  return {
    save: (access) => {
      writeFileSync(draft, `${JSON.stringify(access, null, 2)}\n`);
      renameSync(draft, configFile(env));
    },
    discard: () => rmSync(draft, { force: true }),
  };
}

/** The address that was forgotten; undefined where there was none. */
export function forgetConfig(env: Env): string | undefined {
  const file = configFile(env);
  try {
    const access: unknown = JSON.parse(readFileSync(file, 'utf8'));
    rmSync(file);
    return isAccess(access) ? access.url : '';
  } catch (error) {
    if (isMissing(error)) return undefined;
    rmSync(file, { force: true });
    return '';
  }
}

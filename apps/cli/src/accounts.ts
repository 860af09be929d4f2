import { hostname } from 'node:os';
import { login as openSession, type LoginResult, logout as endSession } from '@vigie/contracts/sessions';
import { type TokenScope, tokenScopes } from '@vigie/contracts/token-scopes';
import { createToken } from '@vigie/contracts/tokens';
import { readMe } from '@vigie/contracts/users';
import { Api } from './api';
import type { Cli } from './cli';
import { configFile, forgetConfig, originOf, prepareConfig, readAccess } from './config';
import { exitCodes, Failure, usage } from './failures';

const usualScopes = ['read', 'backup', 'restore', 'update', 'dns'];
const usualDays = 90;
const dayMs = 24 * 60 * 60_000;
const maxNameLength = 80;

const isScope = (word: string): word is TokenScope => (tokenScopes as readonly string[]).includes(word);

function chosenScopes(cli: Cli): TokenScope[] {
  const words = cli.has('scopes') ? cli.values('scopes') : usualScopes;
  const wrong = words.find((word) => !isScope(word));
  if (wrong !== undefined || words.length === 0)
    throw usage(
      `--scopes attend des droits parmi ${tokenScopes.join(', ')}.`,
      `--scopes needs scopes among ${tokenScopes.join(', ')}.`,
    );
  return words.filter(isScope);
}

async function askOrigin(cli: Cli): Promise<string> {
  const given = cli.given.parameters[0] ?? cli.env.url;
  const url = given ?? (await cli.prompt.ask(cli.say({ fr: 'Adresse de Vigie\u00a0: ', en: 'Address of Vigie: ' })));
  const origin = originOf(url);
  cli.warnIfExposed(origin);
  return origin;
}

const codeQuestion = { fr: 'Code 2FA\u00a0: ', en: '2FA code: ' };

const recoveryQuestion = { fr: 'Code de récupération\u00a0: ', en: 'Recovery code: ' };

const onlyPasskeys = {
  fr: 'Votre clé d’accès ne sert que dans un navigateur. Saisissez un code de récupération, ou créez un jeton dans votre profil et utilisez vigie login --token.',
  en: 'Your passkey only works in a browser. Enter a recovery code, or create a token in your profile and use vigie login --token.',
};

/** Logs in with the password, and with the code of the second factor where the account has one. */
async function openWithPassword(cli: Cli, api: Api): Promise<LoginResult> {
  const email = cli.value('email') ?? (await cli.prompt.ask('Email\u00a0: '));
  const password = await cli.prompt.askSecret(cli.say({ fr: 'Mot de passe\u00a0: ', en: 'Password: ' }));
  let result: LoginResult = await api.call(openSession, { email, password });
  if (result.requires_2fa) {
    const takesApp = result.accepts_totp !== false;
    if (!takesApp) cli.note(onlyPasskeys);
    const code = await cli.prompt.ask(cli.say(takesApp ? codeQuestion : recoveryQuestion));
    const isRecovery = !takesApp || !/^\d{6}$/.test(code.replaceAll(/[\s-]/g, ''));
    const answer = isRecovery ? { backup_code: code } : { totp_code: code };
    result = await api.call(openSession, { email, password, ...answer });
  }
  return result.grace_period ? api.call(openSession, { email, password, skip_2fa: true }) : result;
}

const needsSetup = ({ message }: LoginResult): Failure =>
  new Failure('refused', {
    fr: message ?? 'Ce compte doit d’abord configurer sa 2FA, dans un navigateur.',
    en: 'This account must set up its 2FA first, in a browser.',
  });

/** Exchanges a session for a token, which is kept for as long as it was asked for. The session ends in any case. */
async function exchange(cli: Cli, origin: string): Promise<string> {
  const scopes = chosenScopes(cli);
  const days = cli.number('days') ?? usualDays;
  const opened = await openWithPassword(cli, new Api({ url: origin }));
  if (opened.access_token === undefined) throw needsSetup(opened);
  const session = new Api({ url: origin, token: opened.access_token });
  try {
    if (opened.requires_2fa_setup) throw needsSetup(opened);
    const { token } = await session.call(createToken, {
      name: `vigie sur ${hostname()}`.slice(0, maxNameLength),
      scopes,
      expires_at: new Date(Date.now() + days * dayMs).toISOString(),
    });
    return token;
  } finally {
    await session.call(endSession, {}).catch(() => undefined);
  }
}

async function readGivenToken(cli: Cli): Promise<string> {
  const token = (await cli.prompt.askSecret(cli.prompt.isTerminal ? 'Token\u00a0: ' : '')).trim();
  if (/^vgt_[\w-]{16,}$/.test(token)) return token;
  throw usage('Un jeton commence par vgt_.', 'A token begins with vgt_.');
}

export async function login(cli: Cli): Promise<number> {
  const origin = await askOrigin(cli);
  // Before a token exists, the place for it must.
  const { save, discard } = prepareConfig(cli.env);
  try {
    const token = cli.has('token') ? await readGivenToken(cli) : await exchange(cli, origin);
    if (cli.has('token')) await new Api({ url: origin, token }).call(readMe, {}).catch(ignoreMissingScope);
    save({ url: origin, token });
  } finally {
    discard();
  }
  if (cli.isJson) cli.output.json({ url: origin, file: configFile(cli.env) });
  else
    cli.note({
      fr: `Connecté à ${origin}. Le jeton est dans ${configFile(cli.env)}.`,
      en: `Logged in at ${origin}. The token is in ${configFile(cli.env)}.`,
    });
  return exitCodes.done;
}

/** A token without the scope `read` is a good one. */
function ignoreMissingScope(error: unknown): void {
  if (!(error instanceof Failure) || error.about.status !== 403) throw error;
}

export async function logout(cli: Cli): Promise<number> {
  const url = forgetConfig(cli.env);
  const profile = url ? `${url}/?panel=profile` : '';
  if (cli.isJson) cli.output.json({ was_kept: url !== undefined, url: url || null });
  else if (url === undefined) cli.note({ fr: 'Aucun jeton n’était gardé ici.', en: 'No token was kept here.' });
  else
    cli.note({
      fr: `Le jeton est oublié ici. Il reste valable\u00a0: révoquez-le dans votre profil ${profile}`.trim(),
      en: `The token is forgotten here. It is still valid: revoke it in your profile ${profile}`.trim(),
    });
  return exitCodes.done;
}

export async function whoami(cli: Cli): Promise<number> {
  const { data, raw } = await cli.api.answer(readMe, {});
  const { url } = readAccess(cli.env);
  if (cli.isJson) cli.output.json({ ...Object(raw), url });
  else cli.output.table([cli.say({ fr: 'NOM', en: 'NAME' }), 'EMAIL', 'VIGIE'], [[data.name, data.email, url]]);
  return exitCodes.done;
}

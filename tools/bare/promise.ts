import { setTimeout as sleep } from 'node:timers/promises';
import { sites } from '../start/demo/servers';
import { Refusal, fr } from '../terminal';
import type { Part } from './options';
import type { Command } from './chroot';

export type Login = { address: string; email: string; password: string };

/** Reads the login that a start prints for its operator; undefined until it is complete. */
export function readLogin(printed: string): Login | undefined {
  const find = (pattern: RegExp) => pattern.exec(printed)?.[1];
  const address = find(/Vigie est prête : (http\S+)/);
  const email = find(/Identifiant : (\S+)/);
  const password = find(/Mot de passe : (\S+) .*\n/);
  return address && email && password ? { address, email, password } : undefined;
}

/** Reads the last line of `npm test`. */
export function readTally(printed: string): { passed: number; failed: number } | undefined {
  const lastLineText = printed.trimEnd().split('\n').at(-1) ?? '';
  const [, passed, failed] = /^(\d+) passed, (\d+) failed$/.exec(lastLineText) ?? [];
  return passed === undefined ? undefined : { passed: Number(passed), failed: Number(failed) };
}

/** The longest time without output, generous enough for slow machines, whose total duration is not limited. */
const silenceMs: Record<Part, number> = { start: 600_000, demo: 600_000, test: 3_600_000 };

/** Waits until a command has done what the README promises; throws a refusal if it does not. */
export async function waitForPromise(part: Part, command: Command, signal: AbortSignal): Promise<string> {
  const hasEnded = () => command.exit !== undefined;
  if (part === 'test') {
    await waitForOutput(part, command, hasEnded, signal);
    const tally = readTally(command.printed);
    if (command.exit === 0 && tally && tally.failed === 0) return `${tally.passed} passed, 0 failed`;
    throw new Refusal(fr`npm test a fini par « ${lastLine(command)} » (${String(command.exit)}).`);
  }
  await waitForOutput(part, command, () => hasEnded() || readLogin(command.printed) !== undefined, signal);
  const login = readLogin(command.printed);
  if (!login || hasEnded()) throw new Refusal(fr`La commande a pris fin (${String(command.exit)}) sans être prête.`);
  const token = await logIn(login);
  return part === 'demo' ? countSites(login.address, token) : fr`prête à ${login.address}, connexion faite`;
}

const lastLine = ({ printed }: Command) => printed.trimEnd().split('\n').at(-1) ?? '';

async function waitForOutput(part: Part, command: Command, isDone: () => boolean, signal: AbortSignal): Promise<void> {
  while (!isDone()) {
    signal.throwIfAborted();
    if (performance.now() - command.lastOutputAt > silenceMs[part])
      throw new Refusal(fr`Plus rien depuis ${silenceMs[part] / 60_000} minutes.`);
    await sleep(200);
  }
}

async function logIn({ address, email, password }: Login): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ email, password });
  const { access_token: token } = await fetchJson<{ access_token?: string }>(`${address}/api/auth/login`, {
    method: 'POST',
    headers,
    body,
  });
  if (!token) throw new Refusal(fr`La connexion n’a pas donné de jeton.`);
  return token;
}

async function countSites(address: string, token: string): Promise<string> {
  const siteList = await fetchJson<unknown[]>(`${address}/api/sites`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const expected = Object.keys(sites).length;
  if (siteList.length === expected) return fr`prête à ${address}, connexion faite, ${expected} sites`;
  throw new Refusal(fr`La démonstration a ${siteList.length} sites au lieu de ${expected}.`);
}

async function fetchJson<T>(url: string, init: RequestInit): Promise<T> {
  const response = await fetch(url, init);
  const text = await response.text();
  if (!response.ok) throw new Refusal(fr`${url} répond ${response.status} : ${text.slice(0, 500)}`);
  return JSON.parse(text) as T;
}

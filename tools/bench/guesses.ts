import { Agent, request } from 'node:http';
import { Refusal, fr } from '../terminal';
import { emailAddress, accountNumber, unknownNumber } from './accounts';

export type Target = { name: string; address: string };

export type Guesses = { known: number[]; unknown: number[] };

const warmUps = 20;

/**
 * Measures failed logins one after the other. Each uses a new email and a new IP address, so that attempt counters
 * have no influence.
 */
export async function measureGuesses(
  { name, address }: Target,
  firstAccount: number,
  seconds: number,
): Promise<Guesses> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const guesses: Guesses = { known: [], unknown: [] };
  const end = performance.now() + seconds * 1000;
  // Each kind follows itself as often as it follows the other kind.
  for (let attempt = 0; attempt % 4 !== 0 || performance.now() < end; attempt++) {
    const isKnown = attempt % 4 === 0 || attempt % 4 === 3;
    const index = firstAccount + Math.floor(attempt / 2);
    const email = emailAddress(isKnown ? accountNumber(index) : unknownNumber(index));
    const { status, milliseconds } = await tryLogin(new URL('/api/auth/login', address), { agent, email, attempt });
    if (status !== 401) throw new Refusal(fr`${name} a répondu ${status} à un mauvais mot de passe.`);
    if (attempt >= warmUps) guesses[isKnown ? 'known' : 'unknown'].push(milliseconds);
  }
  agent.destroy();
  return guesses;
}

type Attempt = { agent: Agent; email: string; attempt: number };

function tryLogin(url: URL, { agent, email, attempt }: Attempt): Promise<{ status: number; milliseconds: number }> {
  const body = JSON.stringify({ email, password: 'les vigies dorment la nuit' });
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-forwarded-for': networkAddress(attempt),
  };
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    request(url, { method: 'POST', agent, headers }, (response) => {
      response
        .resume()
        .on('end', () => resolve({ status: response.statusCode ?? 0, milliseconds: performance.now() - startedAt }));
    })
      .on('error', reject)
      .end(body);
  });
}

/** Returns a different /24 network for each of 65,536 attempts. */
const networkAddress = (attempt: number) => `10.${Math.floor(attempt / 256) % 256}.${attempt % 256}.1`;

import { Agent, request } from 'node:http';
import { Refusal, fr } from '../terminal';
import { addressOf, numberOfAccount, numberOfNobody } from './accounts';

export type Target = { name: string; address: string };

/** In milliseconds. */
export type Guesses = { known: number[]; unknown: number[] };

const warmUps = 20;

/**
 * Failed logins one after the other, each to an address of its own from an address of its own: what is timed is whether
 * an account is there, not how often it was tried.
 */
export async function timeGuesses({ name, address }: Target, firstAccount: number, seconds: number): Promise<Guesses> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const guesses: Guesses = { known: [], unknown: [] };
  const end = performance.now() + seconds * 1000;
  // Each kind comes as often after its like as after the other.
  for (let turn = 0; turn % 4 !== 0 || performance.now() < end; turn++) {
    const isKnown = turn % 4 === 0 || turn % 4 === 3;
    const index = firstAccount + Math.floor(turn / 2);
    const email = addressOf(isKnown ? numberOfAccount(index) : numberOfNobody(index));
    const { status, milliseconds } = await guess(new URL('/api/auth/login', address), { agent, email, turn });
    if (status !== 401) throw new Refusal(fr`${name} a répondu ${status} à un mauvais mot de passe.`);
    if (turn >= warmUps) guesses[isKnown ? 'known' : 'unknown'].push(milliseconds);
  }
  agent.destroy();
  return guesses;
}

type Guess = { agent: Agent; email: string; turn: number };

function guess(url: URL, { agent, email, turn }: Guess): Promise<{ status: number; milliseconds: number }> {
  const body = JSON.stringify({ email, password: 'les vigies dorment la nuit' });
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-forwarded-for': networkOf(turn),
  };
  return new Promise((resolve, reject) => {
    const since = performance.now();
    request(url, { method: 'POST', agent, headers }, (response) => {
      response
        .resume()
        .on('end', () => resolve({ status: response.statusCode ?? 0, milliseconds: performance.now() - since }));
    })
      .on('error', reject)
      .end(body);
  });
}

/** A /24 of its own for each of 65,536 turns. */
const networkOf = (turn: number) => `10.${Math.floor(turn / 256) % 256}.${turn % 256}.1`;

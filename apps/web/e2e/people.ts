import { createHmac, randomUUID } from 'node:crypto';
import { type APIRequestContext, expect, type Page } from '@playwright/test';
import { storeToken, test as base } from './fixtures';

export type Person = { id: string; email: string; password: string };
export type Enrolment = { secret: string; codes: string[] };

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

type PersonFields = { email?: string; first_name?: string; last_name?: string; role?: 'admin' | 'client' };

export const anEmail = (): string => `${randomUUID()}@vigie.test`;

async function createPerson(
  request: APIRequestContext,
  adminToken: string,
  { email = anEmail(), ...extra }: PersonFields,
): Promise<Person> {
  const password = `mot de passe ${randomUUID()}`;
  const data = { email, password, first_name: 'Camille', last_name: 'Essai', role: 'client', ...extra };
  const answer = await request.post('/api/admin/users', { data, headers: bearer(adminToken) });
  expect(answer.status(), await answer.text()).toBe(201);
  const { id }: { id: string } = await answer.json();
  return { id, email, password };
}

type LoginAnswer = { access_token?: string; requires_2fa_setup?: true };

/** Returns the whole answer, because it may require a second factor instead of holding a token. */
export async function requestLogin(
  request: APIRequestContext,
  person: Person,
  extra: object = {},
): Promise<LoginAnswer> {
  const { email, password } = person;
  const answer = await request.post('/api/auth/login', { data: { email, password, ...extra } });
  expect(answer.status(), await answer.text()).toBe(200);
  const result: LoginAnswer = await answer.json();
  return result;
}

export async function openSession(request: APIRequestContext, person: Person): Promise<string> {
  const { access_token: token } = await requestLogin(request, person);
  expect(token).toBeTruthy();
  return token ?? '';
}

export async function logIn(page: Page, person: Person): Promise<string> {
  const token = await openSession(page.request, person);
  await storeToken(page, token);
  return token;
}

/** Waits until the gateways refuse the token, which they learn a moment after the end of the session. */
export const waitForSessionEnd = (request: APIRequestContext, token: string): Promise<void> =>
  expect.poll(async () => (await request.get('/api/auth/me', { headers: bearer(token) })).status()).toBe(401);

export async function endSession(request: APIRequestContext, token: string): Promise<void> {
  const answer = await request.post('/api/auth/logout', { headers: bearer(token) });
  expect(answer.status(), await answer.text()).toBe(200);
  await waitForSessionEnd(request, token);
}

const stepMs = 30_000;

/** Computes a code as in RFC 6238. A code is valid for one login, so a second login needs `stepsAhead`. */
export function totp(secret: string, stepsAhead = 0): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = Array.from(secret, (letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / stepMs) + stepsAhead));
  const digest = createHmac('sha1', key).update(counter).digest();
  const number = digest.readUInt32BE((digest.at(-1) ?? 0) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

/** Activates the second factor through the API. */
export async function enrolTotp(page: Page, token: string): Promise<Enrolment> {
  const headers = bearer(token);
  const setup = await page.request.post('/api/auth/2fa/setup', { data: {}, headers });
  const { secret, backup_codes: codes }: { secret: string; backup_codes: string[] } = await setup.json();
  const data = { secret, code: totp(secret), backup_codes: codes };
  const verified = await page.request.post('/api/auth/2fa/verify', { data, headers });
  expect(verified.status(), await verified.text()).toBe(200);
  return { secret, codes };
}

type Fixtures = { makePerson: (fields?: PersonFields) => Promise<Person>; person: Person };

/** `person` is a client created for one test, and `makePerson` creates more people. */
export const test = base.extend<Fixtures>({
  makePerson: async ({ request, adminSession: { access_token: token } }, use) => {
    const created: Person[] = [];
    await use(async (fields = {}) => {
      const person = await createPerson(request, token, fields);
      created.push(person);
      return person;
    });
    for (const { id } of created) await request.delete(`/api/admin/users/${id}`, { headers: bearer(token) });
  },
  person: async ({ makePerson }, use) => use(await makePerson()),
});

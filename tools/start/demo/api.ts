import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isFinal, type Job } from '@vigie/contracts/jobs';
import { Refusal, fr } from '../../terminal';
import type { Settings } from '../env';

const pollMs = 500;

export class Api {
  private constructor(
    private readonly address: string,
    readonly token: string,
  ) {}

  /** Logs in as the first administrator. */
  static async login(address: string, settings: Settings): Promise<Api | undefined> {
    const login = firstAdmin(settings);
    return login && Api.open(address, login);
  }

  /** Resolves to undefined if the login is unknown or no longer valid. */
  static async open(address: string, login: Login): Promise<Api | undefined> {
    const response = await fetch(`${address}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(login),
    });
    const body = (await response.json()) as { access_token?: string };
    return response.ok && body.access_token ? new Api(address, body.access_token) : undefined;
  }

  async get<T>(path: string): Promise<T> {
    return (await this.request('GET', path)) as T;
  }

  /** Resolves to undefined on an error, because a site may be broken. */
  async tryGet<T>(path: string): Promise<T | undefined> {
    return this.get<T>(path).catch(() => undefined);
  }

  /** Sends a form, such as a file, as it is, and anything else as JSON. */
  async post<T>(path: string, body: object): Promise<T> {
    return (await this.request('POST', path, body)) as T;
  }

  async delete(path: string): Promise<void> {
    await this.request('DELETE', path);
  }

  /** Waits until a job, or all jobs of a batch, have ended. */
  async waitForEnd(jobId: string): Promise<Job> {
    for (;;) {
      const job = await this.get<Job>(`/api/jobs/${jobId}`);
      if (isFinal(job.state)) return job;
      await wait(pollMs);
    }
  }

  private async request(method: string, path: string, body?: object): Promise<unknown> {
    const isForm = body instanceof FormData;
    const response = await fetch(`${this.address}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body && { 'idempotency-key': randomUUID() }),
        ...(body && !isForm && { 'content-type': 'application/json' }),
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.ok) return text === '' ? undefined : (JSON.parse(text) as unknown);
    throw new Refusal(fr`La démonstration n’a pas pu suivre : ${method} ${path} répond ${response.status} ${text}`);
  }
}

type Login = { email: string; password: string };

function firstAdmin({ home, env }: Settings): Login | undefined {
  const file = join(home, 'first-admin.json');
  if (existsSync(file)) {
    const { email, password } = JSON.parse(readFileSync(file, 'utf8')) as { email: string; password: string };
    return { email, password };
  }
  const [email, password] = ['VIGIE_ADMIN_EMAIL', 'VIGIE_ADMIN_PASSWORD'].map((name) => readVariable(env, name));
  return email && password ? { email, password } : undefined;
}

function readVariable(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const file = env[`${name}_FILE`];
  return env[name] ?? (file && existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined);
}

import type { DomainAnswer } from '@vigie/contracts/domains';
import { KeyedSemaphores } from '@vigie/ssh/semaphore';
import { failureSentence } from '../site-checks/request-failures';
import { Bootstrap, registryOf } from './bootstrap';
import { failed, type Found, toDomainAnswer, unknown } from './domain-answer';
import { getJson, type JsonRequest, registry } from './get-json';

const maxBytes = 262_144;
const waitMs = 20_000;
const slowSeconds = 600;
const defaultSpacingMs = 1_000;

const nobody = { server: null, was_asked: false };

type Options = Pick<JsonRequest, 'mayConnect' | 'resolve' | 'ms'> & { spacingMs?: number };

/** Asks registries about domains by RDAP: one question at a time each, with a pause between two. */
export class Registries {
  private readonly bootstrap: Bootstrap | undefined;
  private readonly request: Omit<JsonRequest, 'maxBytes'>;
  private readonly turns = new KeyedSemaphores(1);
  private readonly pausedUntil = new Map<string, number>();
  private readonly spacingMs: number;

  /** `url` is that of the list of registries; without one, none is asked. */
  constructor(url: string | null, { spacingMs = defaultSpacingMs, ...request }: Options) {
    // Who has the list on plain HTTP has it on a network of their own, with registries for tests.
    this.request = { ...request, allowsHttp: url?.startsWith('http:') ?? false };
    this.bootstrap = url === null ? undefined : new Bootstrap(url, this.request);
    this.spacingMs = spacingMs;
  }

  async read(name: string): Promise<DomainAnswer> {
    if (!this.bootstrap) return { ...unknown('Vigie n’interroge pas les registres.'), ...nobody };
    try {
      const base = registryOf(name, await this.bootstrap.read());
      if (base === undefined) return { ...unknown('Le registre de ce domaine ne publie rien.'), ...nobody };
      return { ...(await this.ask(base, name)), server: new URL(base).host };
    } catch (error) {
      return { ...failed(failureSentence(error, registry)), ...nobody };
    }
  }

  private async ask(base: string, name: string): Promise<Omit<DomainAnswer, 'server'>> {
    const release = await this.turns.acquire(base, AbortSignal.timeout(waitMs)).catch(() => undefined);
    if (!release) return { ...failed('Le registre répond trop lentement.', slowSeconds), was_asked: false };
    const pauseMs = (this.pausedUntil.get(base) ?? 0) - performance.now();
    if (pauseMs > 0) {
      release();
      return { ...failed('Le registre demande d’attendre.', Math.ceil(pauseMs / 1_000)), was_asked: false };
    }
    try {
      const answer = await this.get(base, name);
      if (answer.retry_after !== null) this.pausedUntil.set(base, performance.now() + answer.retry_after * 1_000);
      return { ...answer, was_asked: true };
    } finally {
      setTimeout(release, this.spacingMs).unref();
    }
  }

  private async get(base: string, name: string): Promise<Found> {
    try {
      const url = `${base}domain/${encodeURIComponent(name)}`;
      return toDomainAnswer(name, await getJson(url, { ...this.request, maxBytes }));
    } catch (error) {
      return failed(failureSentence(error, registry));
    }
  }
}

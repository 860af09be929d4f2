import { z } from 'zod';
import { NoAnswer } from '../site-checks/request-failures';
import { getJson, type JsonRequest } from './get-json';

const maxBytes = 1_048_576;
/** A list that could not be read is asked for again after a while, and the last one serves until then. */
const [keptMs, retryMs] = [86_400_000, 600_000];

/** The file of RFC 9224: which registry answers for which domains. */
const Services = z.object({ services: z.array(z.array(z.array(z.string()))) });

/** The addresses of registries, by the suffix that they answer for. */
export type Registries = ReadonlyMap<string, string>;

/** Of several addresses of a registry, the first one over HTTPS. */
export function toRegistries(body: unknown, allowsHttp: boolean): Registries {
  const { data } = Services.safeParse(body);
  if (!data || data.services.length === 0) throw new NoAnswer('La liste des registres est illisible.');
  const registries = new Map<string, string>();
  for (const [suffixes = [], addresses = []] of data.services) {
    const of = (protocol: string) => addresses.find((address) => URL.canParse(address) && address.startsWith(protocol));
    const address = of('https://') ?? (allowsHttp ? of('http://') : undefined);
    if (address === undefined) continue;
    for (const suffix of suffixes) registries.set(suffix.toLowerCase(), address.replace(/\/*$/, '/'));
  }
  return registries;
}

/** The registry of the longest suffix of the name. */
export function registryOf(name: string, registries: Registries): string | undefined {
  const labels = name.split('.');
  for (let from = 1; from < labels.length; from += 1) {
    const found = registries.get(labels.slice(from).join('.'));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The list of registries, read once a day. */
export class Bootstrap {
  private last: { registries: Registries | undefined; error: unknown; until: number } | undefined;
  private pending: Promise<Registries> | undefined;

  constructor(
    private readonly url: string,
    private readonly request: Omit<JsonRequest, 'maxBytes'>,
  ) {}

  async read(): Promise<Registries> {
    const { last } = this;
    if (last && last.until > performance.now()) {
      if (last.registries) return last.registries;
      throw last.error;
    }
    this.pending ??= this.load().finally(() => (this.pending = undefined));
    return this.pending;
  }

  private async load(): Promise<Registries> {
    try {
      const { status, body } = await getJson(this.url, { ...this.request, maxBytes });
      if (status !== 200) throw new NoAnswer(`La liste des registres n’a pas pu être lue\u00a0: HTTP\u00a0${status}.`);
      const registries = toRegistries(body, this.request.allowsHttp);
      this.last = { registries, error: undefined, until: performance.now() + keptMs };
      return registries;
    } catch (error) {
      const registries = this.last?.registries;
      this.last = { registries, error, until: performance.now() + retryMs };
      if (registries) return registries;
      throw error;
    }
  }
}

import { AppError } from '@vigie/contracts/errors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

type Address = { pattern: RegExp; methods: Set<string> };

/** Makes what refuses a wrong method of a known address with the right ones: 405, where the router only knows 404. */
export function knowMethods(http: FastifyInstance) {
  const addresses = new Map<string, Address>();
  http.addHook('onRoute', ({ url, method }) => {
    const address = addresses.get(url) ?? { pattern: patternOf(url), methods: new Set() };
    for (const each of [method].flat()) address.methods.add(each);
    addresses.set(url, address);
  });
  return (request: FastifyRequest, reply: FastifyReply): void => {
    if (!request.is404) return;
    const [path = ''] = request.url.split('?');
    const allowed = [...addresses.values()].flatMap(({ pattern, methods }) => (pattern.test(path) ? [...methods] : []));
    if (allowed.length === 0) return;
    const names = [...new Set(allowed)].toSorted();
    void reply.header('allow', names.join(', '));
    throw new AppError('wrong_method', `Cette adresse n’accepte que ${list.format(names)}.`);
  };
}

const list = new Intl.ListFormat('fr');

/** A parameter of a route is one part of an address. */
const patternOf = (url: string) =>
  new RegExp(`^${url.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/:\w+/g, '[^/]+')}$`);

import { AppError } from '@vigie/contracts/errors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

type RouteMethods = { pattern: RegExp; methods: Set<string> };

/** Returns a check that answers 405 with the allowed methods where the router only knows 404. */
export function collectMethods(http: FastifyInstance) {
  const routes = new Map<string, RouteMethods>();
  http.addHook('onRoute', ({ url, method }) => {
    const route = routes.get(url) ?? { pattern: patternOf(url), methods: new Set() };
    for (const each of [method].flat()) route.methods.add(each);
    routes.set(url, route);
  });
  return (request: FastifyRequest, reply: FastifyReply): void => {
    if (!request.is404) return;
    const [path = ''] = request.url.split('?');
    const allowed = [...routes.values()].flatMap(({ pattern, methods }) => (pattern.test(path) ? [...methods] : []));
    if (allowed.length === 0) return;
    const names = [...new Set(allowed)].toSorted();
    void reply.header('allow', names.join(', '));
    throw new AppError('wrong_method', `Cette adresse n’accepte que ${list.format(names)}.`);
  };
}

const list = new Intl.ListFormat('fr');

/** A parameter of a route matches one segment of a path. */
const patternOf = (url: string) =>
  new RegExp(`^${url.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/:\w+/g, '[^/]+')}$`);

import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What is `away` reaches nothing; what is `lost` reaches the server, and its answer nobody. */
export type Fate = 'well' | 'away' | 'lost';

/** Starts a proxy before a server. For what it cannot bring it answers 502, as proxies do while a server starts anew. */
export async function startLossyProxy(target: string, fateOf: (route: string) => Fate) {
  const proxy = createServer((incoming, response) => {
    const { method = '', url: path = '' } = incoming;
    const { host: _, ...headers } = incoming.headers;
    const refuse = () => response.writeHead(502).end();
    const fate = fateOf(`${method} ${path.split('?')[0]}`);
    if (fate === 'away') {
      incoming.resume().on('end', refuse);
      return;
    }
    const outgoing = request(new URL(path, target), { method, headers }, (answer) => {
      if (fate === 'lost') answer.resume().on('end', refuse);
      else answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers));
    });
    incoming.pipe(outgoing.on('error', refuse));
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const stop = () => {
    proxy.closeAllConnections();
    proxy.close();
  };
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, stop };
}

/** Everything that is read is away once. */
export function readingsFailOnce(): (route: string) => Fate {
  const met = new Set<string>();
  return (route) => {
    if (!route.startsWith('GET ') || met.has(route)) return 'well';
    met.add(route);
    return 'away';
  };
}

/** After a call of this route, which meets `fate` itself, everything is away. */
export function awayFrom(route: string, fate: Fate): (each: string) => Fate {
  let isAway = false;
  return (each) => {
    if (isAway) return 'away';
    isAway = each === route;
    return isAway ? fate : 'well';
  };
}

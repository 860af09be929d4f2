declare module 'autocannon' {
  import type { EventEmitter } from 'node:events';

  type Options = {
    url: string;
    method: 'GET' | 'POST';
    headers: Record<string, string>;
    /** Called for each connection before its first request. */
    setupClient: (client: { setBody: (body: string) => void }) => void;
    connections: number;
    /** In seconds. */
    duration: number;
    /** Requests per second over all connections. Each connection sends its share at the start of each second. */
    overallRate?: number | undefined;
  };
  type Result = { errors: number; timeouts: number };
  type Instance = EventEmitter & Promise<Result>;

  function autocannon(options: Options): Instance;
  export = autocannon;
}

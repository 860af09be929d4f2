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
    /** Requests a second of all connections together; each connection sends its share at once, at each second's start. */
    overallRate?: number | undefined;
  };
  type Result = { errors: number; timeouts: number };
  type Instance = EventEmitter & Promise<Result>;

  function autocannon(options: Options): Instance;
  export = autocannon;
}

import type { z } from 'zod';

/** Who may use a route. The gateway holds the rules. */
export type Access =
  /** Anybody. */
  | 'public'
  /** Anybody; the answer may hold more for a logged-in user. */
  | 'guest'
  /** A logged-in user, even if the session may only set up its 2FA. */
  | 'enrolling'
  | 'user'
  /** As `user`, and any token, whatever its scopes. */
  | 'bearer'
  /** As `user`, with the session checked each time. */
  | 'fresh'
  /** A ticket in the address identifies the user, where no bearer can be sent. */
  | 'ticket'
  /** As `enrolling`, with the session checked each time: five seconds after a revocation are too long here. */
  | 'security'
  | 'admin';

/** What answers tell about. A call that changes a topic makes the answers that read it stale. */
export const topics = [
  'activity',
  'backup-jobs',
  'backups',
  'changes',
  'channels',
  'consoles',
  'deliveries',
  'dns-config',
  'dns-records',
  'grants',
  'groups',
  'incidents',
  'jobs',
  'maintenance',
  'me',
  'notifications',
  'proposals',
  'server-health',
  'servers',
  'sessions',
  'site-views',
  'site-zones',
  'sites',
  'status-pages',
  'teams',
  'tokens',
  'two-factor',
  'uploads',
  'uptime',
  'users',
  'zones',
] as const;
export type Topic = (typeof topics)[number];

/** How a route answers, from the output of its call. */
export type Answer =
  /** The output. */
  | 'output'
  /** The `items` of the output, as an array. */
  | 'items'
  /** As `items`. The gateway reads the whole list in parts, and sends each number of the output as a header. */
  | 'list'
  /** The output, with the list in this field read whole, in parts. A `version` of the first part goes with the others. */
  | { readonly pages: string }
  /** The ticket of a job, for which the caller does not wait. */
  | 'ticket'
  /** The result of a job, for which the caller may wait, or its ticket. */
  | { readonly job: z.ZodType }
  /** A controller of the gateway makes the answer, of this shape or of the output's. */
  | { readonly custom: z.ZodType }
  | 'custom';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
type Address = `${Method} /api/${string}`;

/** How a call is reached over HTTP: what the gateway serves, `/api/openapi.json` describes, and the web app sends. */
export type Route<A extends Answer = Answer> = {
  /** Method and path. Where a call has several, each sets fields of the input. */
  readonly http: Address | { readonly [address in Address]?: Readonly<Record<string, string>> };
  readonly access: Access;
  readonly status: number;
  readonly answer: A;
  /** In bytes, where the default is too little for the body. */
  readonly bodyLimit: number | undefined;
  /** The body is a form with one file, which a controller streams. */
  readonly takesFile: boolean;
  readonly reads: readonly Topic[];
  readonly changes: readonly Topic[];
};

/** In bytes. Two logos do not fit into the default limit, nor do the items of a large plan, nor a zone. */
export const largeBody = 512 * 1024;

export type RouteOptions<A extends Answer> = Pick<Route<A>, 'http' | 'access'> & Partial<Route<A>>;

export type Endpoint = { method: Method; path: `/api/${string}`; fixedFields: Readonly<Record<string, string>> };

export function endpointsOf(http: Route['http'] | undefined): Endpoint[] {
  const addresses = typeof http === 'string' ? { [http]: {} } : (http ?? {});
  return Object.entries(addresses).map(([address, fixedFields = {}]) => {
    const [method, path] = address.split(' ') as [Method, Endpoint['path']];
    return { method, path, fixedFields };
  });
}

/** Whether the fields of a call are its body. Those of a DELETE stand in its address, except where one is a secret. */
export const hasBody = (method: string, { sealed }: { sealed: object | undefined }): boolean =>
  method === 'POST' || method === 'PUT' || (method === 'DELETE' && sealed !== undefined);

/** The status of a success, unless the contract names another. */
export function defaultStatus([first]: readonly Endpoint[], answer: Answer | undefined): number {
  if (answer === 'ticket') return 202;
  return first?.method === 'DELETE' ? 204 : 200;
}

import type { Random } from '../chaos/random';
import { endpoints } from './fleet-endpoints';
import { arrivals } from './open-loop';

export type Reader = {
  headers: Record<string, string>;
  sites: readonly string[];
  servers: readonly string[];
  /** Whether this user has a Cloudflare account. */
  hasZones: boolean;
};

export const reads = ['listes', 'recherches', 'tuiles', 'fiches', 'suivi', 'DNS'] as const;
export const orders = ['opérations', 'tests'] as const;
export type Kind = (typeof reads)[number] | (typeof orders)[number];
export const isRead = (kind: Kind) => reads.some((read) => read === kind);

/** `due` is in milliseconds from the start. */
export type PlannedRequest = {
  due: number;
  kind: Kind;
  method: 'GET' | 'POST';
  path: string;
  gateway: number;
  reader: number;
};

export type Crowd = {
  readers: readonly Reader[];
  gateways: number;
  orderer: number;
  /** Each job is ordered only once, because a repeated order returns the existing job. */
  nextOrder: () => string;
  hosts: readonly string[];
};

/** Shares of one hundred reads. */
const weights: Record<(typeof reads)[number], number> = {
  listes: 30,
  recherches: 9,
  tuiles: 15,
  fiches: 28,
  suivi: 17,
  DNS: 1,
};

/** Orders and connection tests per read. */
const perRead = { opérations: 0.02, tests: 0.005 };

type Name = (typeof endpoints)[number]['name'];
const endpointPath = (name: Name) => endpoints.find((endpoint) => endpoint.name === name)?.path ?? '';

/** An endpoint that is listed twice is requested twice as often. */
const endpointNames: Record<'listes' | 'recherches' | 'tuiles', readonly Name[]> = {
  listes: [
    'Sites',
    'Sites',
    'Sites',
    'Sites par mises à jour, page 5',
    'Serveurs',
    'Serveurs',
    'Santé des serveurs',
    'Plugins',
    'Plugins',
    'Sites d’un plugin',
    'Groupes',
    'Uploads',
    'Activité',
  ],
  recherches: ['Palette, un nom', 'Palette, un nom', 'Palette, une lettre', 'Palette, un plugin', 'Sites cherchés'],
  tuiles: ['Tuiles', 'À traiter', 'Activité'],
};
const jobPaths = ['/api/jobs?limit=50', '/api/jobs?state=open', '/api/auth/me'] as const;

/** Plans `rate` reads per second and the corresponding orders. */
export function planRequests(
  crowd: Crowd,
  random: Random,
  { rate, seconds }: { rate: number; seconds: number },
): PlannedRequest[] {
  const chance = () => random.next();
  const requests = [
    ...arrivals(rate, seconds, chance).map((due) => readAt(due, crowd, random)),
    ...arrivals(rate * perRead.opérations, seconds, chance).map((due) =>
      orderAt(due, 'opérations', `/api/jobs/${crowd.nextOrder()}/retry`, crowd, random),
    ),
    ...arrivals(rate * perRead.tests, seconds, chance).map((due) =>
      orderAt(due, 'tests', `/api/servers/${random.one(crowd.hosts)}/test`, crowd, random),
    ),
  ];
  return requests.toSorted((left, right) => left.due - right.due);
}

export function concatenate(
  parts: readonly { requests: readonly PlannedRequest[]; seconds: number }[],
): PlannedRequest[] {
  let from = 0;
  return parts.flatMap(({ requests, seconds }) => {
    const shifted = requests.map((request) => ({ ...request, due: request.due + from }));
    from += seconds * 1_000;
    return shifted;
  });
}

const weightedKinds = reads.flatMap((read) => Array<(typeof reads)[number]>(weights[read]).fill(read));
const indexes = (count: number) => Array.from({ length: count }, (_, index) => index);

function readAt(due: number, { readers, gateways }: Crowd, random: Random): PlannedRequest {
  const kind = random.one(weightedKinds);
  const eligible = indexes(readers.length).filter((index) => kind !== 'DNS' || readers[index]?.hasZones);
  const reader = random.one(eligible);
  const path = readPath(kind, readers[reader], random);
  return { due, kind, method: 'GET', path, gateway: random.one(indexes(gateways)), reader };
}

function readPath(kind: (typeof reads)[number], reader: Reader | undefined, random: Random): string {
  if (kind === 'DNS') return '/api/cloudflare/zones';
  if (kind === 'suivi') return random.one(jobPaths);
  if (kind !== 'fiches') return endpointPath(random.one(endpointNames[kind]));
  const { sites = [], servers = [] } = reader ?? {};
  const siteId = random.one(sites);
  return random.one([
    `/api/sites/${siteId}`,
    `/api/sites/${siteId}/inventory`,
    `/api/jobs?site_id=${siteId}`,
    `/api/servers/${random.one(servers)}`,
  ]);
}

function orderAt(due: number, kind: Kind, path: string, { gateways, orderer }: Crowd, random: Random): PlannedRequest {
  return { due, kind, method: 'POST', path, gateway: random.one(indexes(gateways)), reader: orderer };
}

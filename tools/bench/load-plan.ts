import type { Random } from '../chaos/random';
import { endpoints } from './fleet-endpoints';
import { arrivals } from './open-loop';

/** Whoever asks: a session, and what it can open. */
export type Reader = {
  headers: Record<string, string>;
  sites: readonly string[];
  servers: readonly string[];
  /** Whether it has an account at Cloudflare. */
  hasZones: boolean;
};

export const reads = ['listes', 'recherches', 'tuiles', 'fiches', 'suivi', 'DNS'] as const;
export const orders = ['opérations', 'tests'] as const;
export type Kind = (typeof reads)[number] | (typeof orders)[number];
export const isRead = (kind: Kind) => reads.some((read) => read === kind);

/** What is sent, when, in milliseconds from the beginning, to which gateway and by which reader. */
export type Shot = { due: number; kind: Kind; method: 'GET' | 'POST'; path: string; gateway: number; reader: number };

export type Crowd = {
  readers: readonly Reader[];
  gateways: number;
  /** Whose orders and tests they are. */
  orderer: number;
  /** Work to order: each once, since whoever asks twice for the same is given the same. */
  nextOrder: () => string;
  /** Servers that answer. */
  hosts: readonly string[];
};

/** Of a hundred reads: a screen is a list or a page with its tiles, and an open one asks how its work goes. */
const weights: Record<(typeof reads)[number], number> = {
  listes: 30,
  recherches: 9,
  tuiles: 15,
  fiches: 28,
  suivi: 17,
  DNS: 1,
};

/** For each read so many orders of work on a host, and so many tests of a connection. */
const perRead = { opérations: 0.02, tests: 0.005 };

type Name = (typeof endpoints)[number]['name'];
const pathOf = (name: Name) => endpoints.find((endpoint) => endpoint.name === name)?.path ?? '';

/** One that is named twice is asked for twice as often. */
const listed: Record<'listes' | 'recherches' | 'tuiles', readonly Name[]> = {
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
const followed = ['/api/jobs?limit=50', '/api/jobs?state=open', '/api/auth/me'] as const;

/** `rate` reads a second for so many seconds, and the orders that come with them. */
export function plan(crowd: Crowd, random: Random, { rate, seconds }: { rate: number; seconds: number }): Shot[] {
  const chance = () => random.next();
  const shots = [
    ...arrivals(rate, seconds, chance).map((due) => readAt(due, crowd, random)),
    ...arrivals(rate * perRead.opérations, seconds, chance).map((due) =>
      orderAt(due, 'opérations', `/api/jobs/${crowd.nextOrder()}/retry`, crowd, random),
    ),
    ...arrivals(rate * perRead.tests, seconds, chance).map((due) =>
      orderAt(due, 'tests', `/api/servers/${random.one(crowd.hosts)}/test`, crowd, random),
    ),
  ];
  return shots.toSorted((one, other) => one.due - other.due);
}

/** One after the other. */
export function inTurn(parts: readonly { shots: readonly Shot[]; seconds: number }[]): Shot[] {
  let from = 0;
  return parts.flatMap(({ shots, seconds }) => {
    const own = shots.map((shot) => ({ ...shot, due: shot.due + from }));
    from += seconds * 1_000;
    return own;
  });
}

const mixed = reads.flatMap((read) => Array<(typeof reads)[number]>(weights[read]).fill(read));
const places = (count: number) => Array.from({ length: count }, (_, place) => place);

function readAt(due: number, { readers, gateways }: Crowd, random: Random): Shot {
  const kind = random.one(mixed);
  const able = places(readers.length).filter((place) => kind !== 'DNS' || readers[place]?.hasZones);
  const reader = random.one(able);
  const path = pathFor(kind, readers[reader], random);
  return { due, kind, method: 'GET', path, gateway: random.one(places(gateways)), reader };
}

function pathFor(kind: (typeof reads)[number], reader: Reader | undefined, random: Random): string {
  if (kind === 'DNS') return '/api/cloudflare/zones';
  if (kind === 'suivi') return random.one(followed);
  if (kind !== 'fiches') return pathOf(random.one(listed[kind]));
  const { sites = [], servers = [] } = reader ?? {};
  const site = random.one(sites);
  return random.one([
    `/api/sites/${site}`,
    `/api/sites/${site}/inventory`,
    `/api/jobs?site_id=${site}`,
    `/api/servers/${random.one(servers)}`,
  ]);
}

function orderAt(due: number, kind: Kind, path: string, { gateways, orderer }: Crowd, random: Random): Shot {
  return { due, kind, method: 'POST', path, gateway: random.one(places(gateways)), reader: orderer };
}

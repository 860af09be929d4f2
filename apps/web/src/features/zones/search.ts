import { recordSorts } from '@vigie/contracts/dns-records';
import { zoneSorts } from '@vigie/contracts/dns-zones';
import { z } from 'zod';

// The router reads `?q=12` as a number.
const text = z.coerce.string().optional().catch(undefined);

export const tabs = ['config', 'zones', 'mapping', 'dns'] as const;
export type Tab = (typeof tabs)[number];

/** What is shown of DNS, kept in the address. */
export const ZonesSearch = z.object({
  /** Absent: the zones, or the configuration where there is none yet. */
  tab: z.enum(tabs).optional().catch(undefined),
  /** The zone whose records are shown. */
  zone: text,
  q: text,
  /** Of records. */
  type: text,
  sort: z
    .enum([...zoneSorts, ...recordSorts])
    .optional()
    .catch(undefined),
  page: z.int().min(2).max(100_000).optional().catch(undefined),
  /** The record whose form is open, or `new`. */
  record: text,
  /** The form for another zone is open. */
  add: z.literal(true).optional().catch(undefined),
  /** What is open beside the records. */
  side: z.enum(['history', 'lint']).optional().catch(undefined),
  /** The state of the zone that the history shows. */
  snapshot: text,
});
export type ZonesSearch = z.infer<typeof ZonesSearch>;
export type Change = (change: Partial<ZonesSearch>, options?: { isStep?: boolean; isSaved?: boolean }) => void;

/** What another tab or another zone does not take over. */
export const unfiltered = {
  q: undefined,
  type: undefined,
  sort: undefined,
  page: undefined,
  record: undefined,
  add: undefined,
  side: undefined,
  snapshot: undefined,
} as const;

/** The records need a zone, and everything a configuration that is reached. */
export function tabOf({ tab, zone }: ZonesSearch, isLinked: boolean): Tab {
  const usual = isLinked ? 'zones' : 'config';
  if (tab === 'dns' && zone === undefined) return usual;
  return tab ?? usual;
}

type Sorted<C extends string> = { column: C; isDescending: boolean };

export const zoneColumns = ['name', 'status', 'created_at'] as const;
export const recordColumns = ['name', 'type', 'content', 'ttl'] as const;

/** By name, unless the address says something that this list is sorted by. */
export const sortedBy = <C extends string>(columns: readonly C[], sort: string | undefined): Sorted<C | 'name'> => ({
  column: columns.find((column) => column === sort?.replace(/^-/, '')) ?? 'name',
  isDescending: sort?.startsWith('-') === true && columns.some((column) => sort === `-${column}`),
});

type Column = (typeof zoneColumns | typeof recordColumns)[number];

/** The address of a sort; the one that comes by itself has none. */
export const sortBy = (column: Column, isDescending: boolean): ZonesSearch['sort'] =>
  isDescending ? `-${column}` : column === 'name' ? undefined : column;

import { recordSorts, zoneSorts } from '@vigie/contracts/dns-sorts';
import { z } from 'zod';
import { flag, page, text, type ChangeSearch } from '../../kit/list/search-params';

export const tabs = ['config', 'zones', 'mapping', 'dns'] as const;
export type Tab = (typeof tabs)[number];

/** The state of the DNS page, kept in the address. */
export const ZonesSearch = z.object({
  /** Absent: the zones, or the configuration where there is none yet. */
  tab: z.enum(tabs).optional().catch(undefined),
  /** The zone whose records are shown. */
  zone: text,
  q: text,
  /** The type of records to list. */
  type: text,
  sort: z
    .enum([...zoneSorts, ...recordSorts])
    .optional()
    .catch(undefined),
  page,
  /** The record whose form is open, or `new`. */
  record: text,
  /** Whether the form for a new zone is open. */
  add: flag,
  /** The panel that is open beside the records. */
  side: z.enum(['history', 'lint']).optional().catch(undefined),
  /** The snapshot that the history shows. */
  snapshot: text,
});
export type ZonesSearch = z.infer<typeof ZonesSearch>;
export type Change = ChangeSearch<ZonesSearch>;

/** Resets what belongs to one tab or one zone. */
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

/** The tab of the records needs a zone, and all tabs but the configuration need a linked account. */
export function tabOf({ tab, zone: zoneId }: ZonesSearch, isLinked: boolean): Tab {
  const defaults = isLinked ? 'zones' : 'config';
  if (tab === 'dns' && zoneId === undefined) return defaults;
  return tab ?? defaults;
}

export const zoneColumns = ['name', 'status', 'created_at'] as const;
export const recordColumns = ['name', 'type', 'content', 'ttl'] as const;

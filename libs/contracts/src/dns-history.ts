import { z } from 'zod';
import { contract } from './contract';
import { BulkResult, Differences } from './dns-changes';
import { ChangeCounts, DnsRecord } from './dns-records';
import { zoneRef } from './domain-name';
import { id, oneOf, timestamp } from './text';

/** Why a state of a zone was kept: Vigie wrote it, or a look found it. */
export const snapshotReasons = ['first', 'write', 'bulk', 'import', 'revert', 'look'] as const;

export const DnsSnapshot = z.object({
  id,
  at: timestamp,
  reason: z.enum(snapshotReasons),
  /** Who changed it, by Vigie; null for what was found. */
  actor_name: z.string().nullable(),
  /** Since the one before it. */
  counts: ChangeCounts,
  /** Of records. */
  total: z.int(),
  /** Changed elsewhere, and nobody said yet that it is known. */
  is_drift: z.boolean(),
  version: z.string(),
});
export type DnsSnapshot = z.infer<typeof DnsSnapshot>;

const zone = { zone_id: zoneRef };
const one = { ...zone, snapshot_id: id };
const timeoutMs = 60_000;

/** The latest first. */
export const listDnsSnapshots = contract('dns.history.list', {
  input: z.object({
    ...zone,
    limit: z.coerce.number().int().min(1).max(200).default(50),
    before: id.optional(),
  }),
  output: z.object({ items: z.array(DnsSnapshot), has_more: z.boolean() }),
  callers: ['gateway'],
  timeoutMs,
});

/** `previous`: what happened in it. `current`: what going back to it would change now. */
export const readDnsSnapshot = contract('dns.history.read', {
  input: z.object({ ...one, against: oneOf(['previous', 'current']).default('previous') }),
  output: Differences.extend({
    snapshot: DnsSnapshot,
    /** Of the zone as it is now, where that was asked: sent back as `expected_zone`. */
    version: z.string().nullable(),
  }),
  callers: ['gateway'],
  timeoutMs,
});

/** The records of a snapshot, as they were. */
export const listSnapshotRecords = contract('dns.history.records', {
  input: z.object({
    ...one,
    limit: z.coerce.number().int().min(1).max(1_000).optional(),
    offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
  }),
  output: z.object({ records: z.array(DnsRecord), total: z.int() }),
  callers: ['gateway'],
});

/**
 * Makes the zone as it was then; with `names`, only the records of these names. Itself a change, with a snapshot; asked
 * again, it goes on with what is missing.
 */
export const revertDnsZone = contract('dns.history.revert', {
  input: z.object({
    ...one,
    names: z.array(z.string().max(255)).min(1, 'Choisissez au moins un nom.').max(1_000).optional(),
    expected_zone: z.string().max(64).optional(),
  }),
  output: BulkResult,
  callers: ['gateway'],
  timeoutMs,
});

/** What was changed elsewhere up to this snapshot is known, and no longer shown as a drift. */
export const acceptDnsDrift = contract('dns.history.accept', {
  input: z.object(one),
  output: z.object({ snapshot: DnsSnapshot }),
  callers: ['gateway'],
});

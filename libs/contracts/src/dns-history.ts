import { z } from 'zod';
import { contract } from './contract';
import { BulkResult, Differences } from './dns-changes';
import { ChangeCounts, DnsRecord } from './dns-records';
import { zoneRef } from './domain-name';
import { id, offset, oneOf, timestamp } from './text';

/** Why a snapshot was taken: Vigie wrote to the zone, or a check found a change. */
export const snapshotReasons = ['first', 'write', 'bulk', 'import', 'revert', 'look'] as const;

export const DnsSnapshot = z.object({
  id,
  at: timestamp,
  reason: z.enum(snapshotReasons),
  /** The user who changed the zone in Vigie; null for a change found by a check. */
  actor_name: z.string().nullable(),
  counts: ChangeCounts,
  /** Number of records. */
  total: z.int(),
  /** Changed outside Vigie and not yet accepted by a user. */
  is_drift: z.boolean(),
  version: z.string(),
});
export type DnsSnapshot = z.infer<typeof DnsSnapshot>;

const zone = { zone_id: zoneRef };
const one = { ...zone, snapshot_id: id };
const timeoutMs = 60_000;

/** Lists the latest snapshots first. */
export const listDnsSnapshots = contract('dns.history.list', {
  http: 'GET /api/cloudflare/zones/:zone_id/history',
  access: 'user',
  scope: 'read',
  reads: ['dns-records'],
  input: z.object({
    ...zone,
    limit: z.coerce.number().int().min(1).max(200).default(50),
    before: id.optional(),
  }),
  output: z.object({ items: z.array(DnsSnapshot), has_more: z.boolean() }),
  timeoutMs,
});

/** Compares a snapshot with the `previous` one, or with the `current` zone to preview a revert. */
export const readDnsSnapshot = contract('dns.history.read', {
  http: 'GET /api/cloudflare/zones/:zone_id/history/:snapshot_id',
  access: 'user',
  scope: 'read',
  reads: ['dns-records'],
  input: z.object({ ...one, against: oneOf(['previous', 'current']).default('previous') }),
  output: Differences.extend({
    snapshot: DnsSnapshot,
    /** Version of the current zone when compared with it, to send back as `expected_zone`. */
    version: z.string().nullable(),
  }),
  timeoutMs,
});

export const listSnapshotRecords = contract('dns.history.records', {
  http: 'GET /api/cloudflare/zones/:zone_id/history/:snapshot_id/records',
  access: 'user',
  scope: 'read',
  answer: { pages: 'records' },
  input: z.object({
    ...one,
    limit: z.coerce.number().int().min(1).max(1_000).optional(),
    offset,
  }),
  output: z.object({ records: z.array(DnsRecord), total: z.int() }),
});

/**
 * Restores the zone to a snapshot; with `names`, only the records of these names. A revert takes a snapshot too, and a
 * repeated call continues with the missing changes.
 */
export const revertDnsZone = contract('dns.history.revert', {
  http: 'POST /api/cloudflare/zones/:zone_id/history/:snapshot_id/revert',
  access: 'user',
  scope: 'dns',
  changes: ['dns-records'],
  input: z.object({
    ...one,
    names: z.array(z.string().max(255)).min(1, 'Choisissez au moins un nom.').max(1_000).optional(),
    expected_zone: z.string().max(64).optional(),
  }),
  output: BulkResult,
  timeoutMs,
});

/** Accepts the changes made outside Vigie up to this snapshot, so that they are no longer shown as a drift. */
export const acceptDnsDrift = contract('dns.history.accept', {
  http: 'POST /api/cloudflare/zones/:zone_id/history/:snapshot_id/accept',
  access: 'user',
  scope: 'dns',
  changes: ['dns-records'],
  input: z.object(one),
  output: z.object({ snapshot: DnsSnapshot }),
});

import {
  applyDnsChanges,
  type BulkResult,
  type DnsChange,
  exportDnsZone,
  importDnsZone,
  previewDnsChanges,
  previewDnsImport,
} from '@vigie/contracts/dns-changes';
import {
  acceptDnsDrift,
  type DnsSnapshot,
  listDnsSnapshots,
  readDnsSnapshot,
  revertDnsZone,
} from '@vigie/contracts/dns-history';
import { lintDnsZone } from '@vigie/contracts/dns-lint';
import {
  createDnsRecord,
  deleteDnsRecord,
  type DnsRecord,
  editDnsRecord,
  listDnsRecords,
  type RecordChanges,
  type RecordForm,
} from '@vigie/contracts/dns-records';
import type { z } from 'zod';
import { patienceMs, queryOf, zonePath, zonesApi } from './zones.api';

export type RecordsPage = z.output<typeof listDnsRecords.output>;
type RecordsParams = Partial<z.input<typeof listDnsRecords.input>> & { zone_id: string };
export type Change = z.input<typeof DnsChange>;
export type Preview = z.output<typeof previewDnsChanges.output>;
export type Draft = z.input<typeof RecordForm>;
export type Changes = z.input<typeof RecordChanges>;
type RecordKey = { zoneId: string; record: string; expected: string };
type ImportedFile = { zoneId: string; content: string; mode: 'add' | 'replace' };
export type ImportPreview = z.output<typeof previewDnsImport.output>;
type SnapshotKey = { zoneId: string; snapshotId: string };
export type SnapshotDetail = z.output<typeof readDnsSnapshot.output>;

const recordPath = (zoneId: string, record: string) => `${zonePath(zoneId)}/dns/${encodeURIComponent(record)}` as const;
const snapshotPath = ({ zoneId, snapshotId }: SnapshotKey) =>
  `${zonePath(zoneId)}/history/${encodeURIComponent(snapshotId)}` as const;

/** Tags the records of a zone, its lint findings and its history. */
const recordTags = (zoneId: string) => [{ type: 'records' as const, id: zoneId }];

const onlyRecord = ({ record }: { record: DnsRecord }) => record;

export const recordsApi = zonesApi.injectEndpoints({
  endpoints: (build) => ({
    records: build.query<RecordsPage, RecordsParams>({
      query: ({ zone_id: zoneId, ...params }) => ({
        path: `${zonePath(zoneId)}/dns?${queryOf(params)}`,
        output: listDnsRecords.output,
        timeoutMs: patienceMs,
      }),
      providesTags: (_, __, { zone_id: zoneId }) => recordTags(zoneId),
    }),
    createRecord: build.mutation<DnsRecord, { zoneId: string; record: Draft; idempotencyKey: string }>({
      query: ({ zoneId, record, idempotencyKey }) => ({
        path: `${zonePath(zoneId)}/dns`,
        method: 'POST',
        body: record,
        output: createDnsRecord.output,
        idempotencyKey,
        timeoutMs: patienceMs,
      }),
      transformResponse: onlyRecord,
      invalidatesTags: (_, __, { zoneId }) => recordTags(zoneId),
    }),
    editRecord: build.mutation<DnsRecord, RecordKey & { changes: Changes }>({
      query: ({ zoneId, record, expected, changes }) => ({
        path: recordPath(zoneId, record),
        method: 'PUT',
        body: { ...changes, expected },
        output: editDnsRecord.output,
        timeoutMs: patienceMs,
      }),
      transformResponse: onlyRecord,
      invalidatesTags: (_, __, { zoneId }) => recordTags(zoneId),
    }),
    deleteRecord: build.mutation<object, RecordKey>({
      query: ({ zoneId, record, expected }) => ({
        path: `${recordPath(zoneId, record)}?${queryOf({ expected })}`,
        method: 'DELETE',
        output: deleteDnsRecord.output,
        timeoutMs: patienceMs,
      }),
      invalidatesTags: (_, __, { zoneId }) => recordTags(zoneId),
    }),
    lint: build.query<z.output<typeof lintDnsZone.output>, string>({
      query: (zoneId) => ({ path: `${zonePath(zoneId)}/dns/lint`, output: lintDnsZone.output, timeoutMs: patienceMs }),
      providesTags: (_, __, zoneId) => recordTags(zoneId),
    }),
  }),
});

type BulkChanges = { zoneId: string; changes: readonly Change[]; version: string };

export const changesApi = recordsApi.injectEndpoints({
  endpoints: (build) => ({
    /** A preview changes nothing and goes stale at once. */
    previewChanges: build.query<Preview, { zoneId: string; changes: readonly Change[] }>({
      query: ({ zoneId, changes }) => ({
        path: `${zonePath(zoneId)}/dns/preview`,
        method: 'POST',
        body: { changes },
        output: previewDnsChanges.output,
        timeoutMs: patienceMs,
      }),
      keepUnusedDataFor: 0,
    }),
    applyChanges: build.mutation<BulkResult, BulkChanges & { idempotencyKey: string }>({
      query: ({ zoneId, changes, version, idempotencyKey }) => ({
        path: `${zonePath(zoneId)}/dns/bulk`,
        method: 'POST',
        body: { changes, expected_zone: version },
        output: applyDnsChanges.output,
        idempotencyKey,
        timeoutMs: patienceMs,
      }),
      invalidatesTags: (_, __, { zoneId }) => recordTags(zoneId),
    }),
  }),
});

export const zoneFilesApi = recordsApi.injectEndpoints({
  endpoints: (build) => ({
    exportZone: build.mutation<z.output<typeof exportDnsZone.output>, string>({
      query: (zoneId) => ({
        path: `${zonePath(zoneId)}/dns/export`,
        output: exportDnsZone.output,
        timeoutMs: patienceMs,
      }),
    }),
    previewImport: build.mutation<ImportPreview, ImportedFile>({
      query: ({ zoneId, ...file }) => ({
        path: `${zonePath(zoneId)}/dns/import/preview`,
        method: 'POST',
        body: file,
        output: previewDnsImport.output,
        timeoutMs: patienceMs,
      }),
    }),
    importZone: build.mutation<BulkResult, ImportedFile & { version: string }>({
      query: ({ zoneId, version, ...file }) => ({
        path: `${zonePath(zoneId)}/dns/import`,
        method: 'POST',
        body: { ...file, expected_zone: version },
        output: importDnsZone.output,
        timeoutMs: patienceMs,
      }),
      invalidatesTags: (_, __, { zoneId }) => recordTags(zoneId),
    }),
  }),
});

const snapshotsPerPage = 50;
export type SnapshotsPage = { items: DnsSnapshot[]; has_more: boolean };

export const historyApi = recordsApi.injectEndpoints({
  endpoints: (build) => ({
    /** Newest first; each page starts after the last snapshot of the page before. */
    snapshots: build.infiniteQuery<SnapshotsPage, string, string | undefined>({
      infiniteQueryOptions: {
        initialPageParam: undefined,
        getNextPageParam: ({ items, has_more: hasMore }) => (hasMore ? items.at(-1)?.id : undefined),
      },
      query: ({ queryArg: zoneId, pageParam: before }) => ({
        path: `${zonePath(zoneId)}/history?${queryOf({ limit: snapshotsPerPage, before })}`,
        output: listDnsSnapshots.output,
        timeoutMs: patienceMs,
      }),
      providesTags: (_, __, zoneId) => recordTags(zoneId),
    }),
    snapshot: build.query<SnapshotDetail, SnapshotKey & { against: 'previous' | 'current' }>({
      query: ({ against, ...key }) => ({
        path: `${snapshotPath(key)}?against=${against}`,
        output: readDnsSnapshot.output,
        timeoutMs: patienceMs,
      }),
      // A snapshot's own changes never change; its difference to the current zone does.
      providesTags: (_, __, { zoneId, against }) => (against === 'current' ? recordTags(zoneId) : []),
    }),
    revertZone: build.mutation<BulkResult, SnapshotKey & { version: string | null }>({
      query: ({ version, ...key }) => ({
        path: `${snapshotPath(key)}/revert`,
        method: 'POST',
        body: version === null ? {} : { expected_zone: version },
        output: revertDnsZone.output,
        timeoutMs: patienceMs,
      }),
      invalidatesTags: (_, __, { zoneId }) => recordTags(zoneId),
    }),
    acceptDrift: build.mutation<z.output<typeof acceptDnsDrift.output>, SnapshotKey>({
      query: (key) => ({ path: `${snapshotPath(key)}/accept`, method: 'POST', output: acceptDnsDrift.output }),
      invalidatesTags: (_, __, { zoneId }) => recordTags(zoneId),
    }),
  }),
});

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
type RecordKey = { zone: string; record: string; expected: string };
type ImportedFile = { zone: string; content: string; mode: 'add' | 'replace' };
export type ImportPreview = z.output<typeof previewDnsImport.output>;
type SnapshotKey = { zone: string; snapshot: string };
export type SnapshotDetail = z.output<typeof readDnsSnapshot.output>;

const recordPath = (zone: string, record: string) => `${zonePath(zone)}/dns/${encodeURIComponent(record)}` as const;
const snapshotPath = ({ zone, snapshot }: SnapshotKey) =>
  `${zonePath(zone)}/history/${encodeURIComponent(snapshot)}` as const;

/** Tags the records of a zone, its lint findings and its history. */
const recordTags = (zone: string) => [{ type: 'records' as const, id: zone }];

const onlyRecord = ({ record }: { record: DnsRecord }) => record;

export const recordsApi = zonesApi.injectEndpoints({
  endpoints: (build) => ({
    records: build.query<RecordsPage, RecordsParams>({
      query: ({ zone_id: zone, ...params }) => ({
        path: `${zonePath(zone)}/dns?${queryOf(params)}`,
        output: listDnsRecords.output,
        timeoutMs: patienceMs,
      }),
      providesTags: (_, __, { zone_id: zone }) => recordTags(zone),
    }),
    createRecord: build.mutation<DnsRecord, { zone: string; record: Draft; idempotencyKey: string }>({
      query: ({ zone, record, idempotencyKey }) => ({
        path: `${zonePath(zone)}/dns`,
        method: 'POST',
        body: record,
        output: createDnsRecord.output,
        idempotencyKey,
        timeoutMs: patienceMs,
      }),
      transformResponse: onlyRecord,
      invalidatesTags: (_, __, { zone }) => recordTags(zone),
    }),
    editRecord: build.mutation<DnsRecord, RecordKey & { changes: Changes }>({
      query: ({ zone, record, expected, changes }) => ({
        path: recordPath(zone, record),
        method: 'PUT',
        body: { ...changes, expected },
        output: editDnsRecord.output,
        timeoutMs: patienceMs,
      }),
      transformResponse: onlyRecord,
      invalidatesTags: (_, __, { zone }) => recordTags(zone),
    }),
    deleteRecord: build.mutation<object, RecordKey>({
      query: ({ zone, record, expected }) => ({
        path: `${recordPath(zone, record)}?${queryOf({ expected })}`,
        method: 'DELETE',
        output: deleteDnsRecord.output,
        timeoutMs: patienceMs,
      }),
      invalidatesTags: (_, __, { zone }) => recordTags(zone),
    }),
    lint: build.query<z.output<typeof lintDnsZone.output>, string>({
      query: (zone) => ({ path: `${zonePath(zone)}/dns/lint`, output: lintDnsZone.output, timeoutMs: patienceMs }),
      providesTags: (_, __, zone) => recordTags(zone),
    }),
  }),
});

type BulkChanges = { zone: string; changes: readonly Change[]; version: string };

export const changesApi = recordsApi.injectEndpoints({
  endpoints: (build) => ({
    /** A preview changes nothing and goes stale at once. */
    previewChanges: build.query<Preview, { zone: string; changes: readonly Change[] }>({
      query: ({ zone, changes }) => ({
        path: `${zonePath(zone)}/dns/preview`,
        method: 'POST',
        body: { changes },
        output: previewDnsChanges.output,
        timeoutMs: patienceMs,
      }),
      keepUnusedDataFor: 0,
    }),
    applyChanges: build.mutation<BulkResult, BulkChanges & { idempotencyKey: string }>({
      query: ({ zone, changes, version, idempotencyKey }) => ({
        path: `${zonePath(zone)}/dns/bulk`,
        method: 'POST',
        body: { changes, expected_zone: version },
        output: applyDnsChanges.output,
        idempotencyKey,
        timeoutMs: patienceMs,
      }),
      invalidatesTags: (_, __, { zone }) => recordTags(zone),
    }),
  }),
});

export const zoneFilesApi = recordsApi.injectEndpoints({
  endpoints: (build) => ({
    exportZone: build.mutation<z.output<typeof exportDnsZone.output>, string>({
      query: (zone) => ({ path: `${zonePath(zone)}/dns/export`, output: exportDnsZone.output, timeoutMs: patienceMs }),
    }),
    previewImport: build.mutation<ImportPreview, ImportedFile>({
      query: ({ zone, ...file }) => ({
        path: `${zonePath(zone)}/dns/import/preview`,
        method: 'POST',
        body: file,
        output: previewDnsImport.output,
        timeoutMs: patienceMs,
      }),
    }),
    importZone: build.mutation<BulkResult, ImportedFile & { version: string }>({
      query: ({ zone, version, ...file }) => ({
        path: `${zonePath(zone)}/dns/import`,
        method: 'POST',
        body: { ...file, expected_zone: version },
        output: importDnsZone.output,
        timeoutMs: patienceMs,
      }),
      invalidatesTags: (_, __, { zone }) => recordTags(zone),
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
      query: ({ queryArg: zone, pageParam: before }) => ({
        path: `${zonePath(zone)}/history?${queryOf({ limit: snapshotsPerPage, before })}`,
        output: listDnsSnapshots.output,
        timeoutMs: patienceMs,
      }),
      providesTags: (_, __, zone) => recordTags(zone),
    }),
    snapshot: build.query<SnapshotDetail, SnapshotKey & { against: 'previous' | 'current' }>({
      query: ({ against, ...key }) => ({
        path: `${snapshotPath(key)}?against=${against}`,
        output: readDnsSnapshot.output,
        timeoutMs: patienceMs,
      }),
      // A snapshot's own changes never change; its difference to the current zone does.
      providesTags: (_, __, { zone, against }) => (against === 'current' ? recordTags(zone) : []),
    }),
    revertZone: build.mutation<BulkResult, SnapshotKey & { version: string | null }>({
      query: ({ version, ...key }) => ({
        path: `${snapshotPath(key)}/revert`,
        method: 'POST',
        body: version === null ? {} : { expected_zone: version },
        output: revertDnsZone.output,
        timeoutMs: patienceMs,
      }),
      invalidatesTags: (_, __, { zone }) => recordTags(zone),
    }),
    acceptDrift: build.mutation<z.output<typeof acceptDnsDrift.output>, SnapshotKey>({
      query: (key) => ({ path: `${snapshotPath(key)}/accept`, method: 'POST', output: acceptDnsDrift.output }),
      invalidatesTags: (_, __, { zone }) => recordTags(zone),
    }),
  }),
});

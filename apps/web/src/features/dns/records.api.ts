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
type Question = Partial<z.input<typeof listDnsRecords.input>> & { zone_id: string };
export type Change = z.input<typeof DnsChange>;
export type Preview = z.output<typeof previewDnsChanges.output>;
export type Draft = z.input<typeof RecordForm>;
export type Changes = z.input<typeof RecordChanges>;
type One = { zone: string; record: string; expected: string };
type Imported = { zone: string; content: string; mode: 'add' | 'replace' };
export type ImportPreview = z.output<typeof previewDnsImport.output>;
type Snapshot = { zone: string; snapshot: string };
export type SnapshotDetail = z.output<typeof readDnsSnapshot.output>;

const recordPath = (zone: string, record: string) => `${zonePath(zone)}/dns/${encodeURIComponent(record)}` as const;
const snapshotPath = ({ zone, snapshot }: Snapshot) =>
  `${zonePath(zone)}/history/${encodeURIComponent(snapshot)}` as const;

/** All that is told of the records of a zone: the list, what is wrong in it, and what became of it. */
const of = (zone: string) => [{ type: 'records' as const, id: zone }];

const onlyRecord = ({ record }: { record: DnsRecord }) => record;

export const recordsApi = zonesApi.injectEndpoints({
  endpoints: (build) => ({
    records: build.query<RecordsPage, Question>({
      query: ({ zone_id: zone, ...question }) => ({
        path: `${zonePath(zone)}/dns?${queryOf(question)}`,
        output: listDnsRecords.output,
        patienceMs,
      }),
      providesTags: (_, __, { zone_id: zone }) => of(zone),
    }),
    createRecord: build.mutation<DnsRecord, { zone: string; record: Draft; idempotencyKey: string }>({
      query: ({ zone, record, idempotencyKey }) => ({
        path: `${zonePath(zone)}/dns`,
        method: 'POST',
        body: record,
        output: createDnsRecord.output,
        idempotencyKey,
        patienceMs,
      }),
      transformResponse: onlyRecord,
      invalidatesTags: (_, __, { zone }) => of(zone),
    }),
    editRecord: build.mutation<DnsRecord, One & { changes: Changes }>({
      query: ({ zone, record, expected, changes }) => ({
        path: recordPath(zone, record),
        method: 'PUT',
        body: { ...changes, expected },
        output: editDnsRecord.output,
        patienceMs,
      }),
      transformResponse: onlyRecord,
      invalidatesTags: (_, __, { zone }) => of(zone),
    }),
    deleteRecord: build.mutation<object, One>({
      query: ({ zone, record, expected }) => ({
        path: `${recordPath(zone, record)}?${queryOf({ expected })}`,
        method: 'DELETE',
        output: deleteDnsRecord.output,
        patienceMs,
      }),
      invalidatesTags: (_, __, { zone }) => of(zone),
    }),
    lint: build.query<z.output<typeof lintDnsZone.output>, string>({
      query: (zone) => ({ path: `${zonePath(zone)}/dns/lint`, output: lintDnsZone.output, patienceMs }),
      providesTags: (_, __, zone) => of(zone),
    }),
  }),
});

type Bulk = { zone: string; changes: readonly Change[]; version: string };

export const changesApi = recordsApi.injectEndpoints({
  endpoints: (build) => ({
    /** Changes nothing; what it says is true of this moment only. */
    previewChanges: build.query<Preview, { zone: string; changes: readonly Change[] }>({
      query: ({ zone, changes }) => ({
        path: `${zonePath(zone)}/dns/preview`,
        method: 'POST',
        body: { changes },
        output: previewDnsChanges.output,
        patienceMs,
      }),
      keepUnusedDataFor: 0,
    }),
    applyChanges: build.mutation<BulkResult, Bulk & { idempotencyKey: string }>({
      query: ({ zone, changes, version, idempotencyKey }) => ({
        path: `${zonePath(zone)}/dns/bulk`,
        method: 'POST',
        body: { changes, expected_zone: version },
        output: applyDnsChanges.output,
        idempotencyKey,
        patienceMs,
      }),
      invalidatesTags: (_, __, { zone }) => of(zone),
    }),
  }),
});

export const zoneFilesApi = recordsApi.injectEndpoints({
  endpoints: (build) => ({
    exportZone: build.mutation<z.output<typeof exportDnsZone.output>, string>({
      query: (zone) => ({ path: `${zonePath(zone)}/dns/export`, output: exportDnsZone.output, patienceMs }),
    }),
    previewImport: build.mutation<ImportPreview, Imported>({
      query: ({ zone, ...file }) => ({
        path: `${zonePath(zone)}/dns/import/preview`,
        method: 'POST',
        body: file,
        output: previewDnsImport.output,
        patienceMs,
      }),
    }),
    importZone: build.mutation<BulkResult, Imported & { version: string }>({
      query: ({ zone, version, ...file }) => ({
        path: `${zonePath(zone)}/dns/import`,
        method: 'POST',
        body: { ...file, expected_zone: version },
        output: importDnsZone.output,
        patienceMs,
      }),
      invalidatesTags: (_, __, { zone }) => of(zone),
    }),
  }),
});

const snapshotsPerPage = 50;
export type SnapshotsPage = { items: DnsSnapshot[]; has_more: boolean };

export const historyApi = recordsApi.injectEndpoints({
  endpoints: (build) => ({
    /** From the latest on, each page behind the last state of the one before it. */
    snapshots: build.infiniteQuery<SnapshotsPage, string, string | undefined>({
      infiniteQueryOptions: {
        initialPageParam: undefined,
        getNextPageParam: ({ items, has_more: hasMore }) => (hasMore ? items.at(-1)?.id : undefined),
      },
      query: ({ queryArg: zone, pageParam: before }) => ({
        path: `${zonePath(zone)}/history?${queryOf({ limit: snapshotsPerPage, before })}`,
        output: listDnsSnapshots.output,
        patienceMs,
      }),
      providesTags: (_, __, zone) => of(zone),
    }),
    snapshot: build.query<SnapshotDetail, Snapshot & { against: 'previous' | 'current' }>({
      query: ({ against, ...named }) => ({
        path: `${snapshotPath(named)}?against=${against}`,
        output: readDnsSnapshot.output,
        patienceMs,
      }),
      // What happened is what it was; what going back would change is asked anew.
      providesTags: (_, __, { zone, against }) => (against === 'current' ? of(zone) : []),
    }),
    revertZone: build.mutation<BulkResult, Snapshot & { version: string | null }>({
      query: ({ version, ...named }) => ({
        path: `${snapshotPath(named)}/revert`,
        method: 'POST',
        body: version === null ? {} : { expected_zone: version },
        output: revertDnsZone.output,
        patienceMs,
      }),
      invalidatesTags: (_, __, { zone }) => of(zone),
    }),
    acceptDrift: build.mutation<z.output<typeof acceptDnsDrift.output>, Snapshot>({
      query: (named) => ({ path: `${snapshotPath(named)}/accept`, method: 'POST', output: acceptDnsDrift.output }),
      invalidatesTags: (_, __, { zone }) => of(zone),
    }),
  }),
});

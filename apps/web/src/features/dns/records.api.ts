import { callOf, type Fields, type Received } from '@vigie/contracts/calls';
import {
  applyDnsChanges,
  type DnsChange,
  exportDnsZone,
  importDnsZone,
  previewDnsChanges,
  previewDnsImport,
} from '@vigie/contracts/dns-changes';
import { acceptDnsDrift, listDnsSnapshots, readDnsSnapshot, revertDnsZone } from '@vigie/contracts/dns-history';
import { lintDnsZone } from '@vigie/contracts/dns-lint';
import {
  createDnsRecord,
  deleteDnsRecord,
  editDnsRecord,
  listDnsRecords,
  type RecordChanges,
  type RecordForm,
} from '@vigie/contracts/dns-records';
import type { z } from 'zod';
import { creationOf, failedBy, mutationOf, queryOf } from '../../kit/query/endpoints';
import { failureReason } from '../../kit/query/failures';
import { conflictOf } from './differences';
import { zonesApi } from './zones.api';

export type RecordsPage = Received<typeof listDnsRecords>;
export type Change = z.input<typeof DnsChange>;
export type Draft = z.input<typeof RecordForm>;
export type Changes = z.input<typeof RecordChanges>;
export type ImportPreview = Received<typeof previewDnsImport>;
export type SnapshotDetail = Received<typeof readDnsSnapshot>;

export const deleteFailed = 'Failed to delete record';
export const saveFailed = 'Failed to save record';
const importFailed = 'Failed to import zone file';

type InZone = { zone_id: string };
/** The records of a zone, its lint findings and its history stay fresh while another zone changes. */
const tagsOfZone = (_: unknown, __: unknown, { zone_id: id }: InZone) => [{ type: 'dns-records', id } as const];
const onlyRecord = ({ record }: Received<typeof createDnsRecord>) => record;

export const recordsApi = zonesApi.injectEndpoints({
  endpoints: (build) => ({
    records: build.query({ ...queryOf(listDnsRecords), providesTags: tagsOfZone }),
    createRecord: build.mutation({
      ...creationOf(createDnsRecord, saveFailed),
      transformResponse: onlyRecord,
      invalidatesTags: tagsOfZone,
    }),
    editRecord: build.mutation({
      ...mutationOf(editDnsRecord, saveFailed),
      transformResponse: onlyRecord,
      invalidatesTags: tagsOfZone,
    }),
    deleteRecord: build.mutation({
      ...mutationOf(deleteDnsRecord, (error) => (conflictOf(error) ? undefined : failureReason(error, deleteFailed))),
      invalidatesTags: tagsOfZone,
    }),
    lint: build.query({ ...queryOf(lintDnsZone), providesTags: tagsOfZone }),
    /** A preview changes nothing and goes stale at once. */
    previewChanges: build.query({ ...queryOf(previewDnsChanges), keepUnusedDataFor: 0 }),
    applyChanges: build.mutation({
      ...creationOf(applyDnsChanges),
      ...failedBy((error, { changes }: Fields<typeof applyDnsChanges>) =>
        failureReason(error, changes.every(({ action }) => action === 'delete') ? deleteFailed : saveFailed),
      ),
      invalidatesTags: tagsOfZone,
    }),
    exportZone: build.mutation(mutationOf(exportDnsZone, 'Failed to export zone file')),
    previewImport: build.mutation(mutationOf(previewDnsImport, importFailed)),
    importZone: build.mutation({ ...mutationOf(importDnsZone, importFailed), invalidatesTags: tagsOfZone }),
  }),
});

const snapshotsPerPage = 50;
export type SnapshotsPage = Received<typeof listDnsSnapshots>;

export const historyApi = recordsApi.injectEndpoints({
  endpoints: (build) => ({
    /** Newest first; each page starts after the last snapshot of the page before. */
    snapshots: build.infiniteQuery<SnapshotsPage, InZone, string | undefined>({
      infiniteQueryOptions: {
        initialPageParam: undefined,
        getNextPageParam: ({ items, has_more: hasMore }) => (hasMore ? items.at(-1)?.id : undefined),
      },
      query: ({ queryArg, pageParam: before }) =>
        callOf(listDnsSnapshots, { ...queryArg, limit: snapshotsPerPage, before }),
      providesTags: tagsOfZone,
    }),
    snapshot: build.query({
      ...queryOf(readDnsSnapshot),
      // A snapshot's own changes never change; its difference to the current zone does.
      providesTags: (_, __, fields) => (fields.against === 'current' ? tagsOfZone(_, __, fields) : []),
    }),
    revertZone: build.mutation({ ...mutationOf(revertDnsZone, 'Failed to revert zone'), invalidatesTags: tagsOfZone }),
    acceptDrift: build.mutation({
      ...mutationOf(acceptDnsDrift, 'Failed to accept changes'),
      invalidatesTags: tagsOfZone,
    }),
  }),
});

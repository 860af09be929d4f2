import {
  ArchiveEntry,
  Backup,
  compareArchives,
  deleteBackup,
  listArchive,
  LocalBackup,
  readBackupsInfo,
} from '@vigie/contracts/backups';
import { isFinal, type JobItem, JobTicket, listJobs } from '@vigie/contracts/jobs';
import { restoreWord } from '@vigie/contracts/restores';
import { z } from 'zod';
import { api } from '../../app/api';
import type { RestoreOptions } from './restore-request';

export type Info = z.infer<typeof readBackupsInfo.output>;
export type Listing = z.infer<typeof listArchive.output>;
export type Comparison = z.infer<typeof compareArchives.output>;
type LocationParam = 'remote' | 'local';
type ArchiveRef = { siteId: string; filename: string };
type Creation<Form> = Form & { idempotencyKey: string };
/** `q` searches, `filename` finds one archive. */
type LocalQuery = { siteId: string; q?: string; filename?: string };
type LocalPage = { items: readonly LocalBackup[]; total: number };
type Part = { path: string; kind: Exclude<ArchiveEntry['kind'], 'folder'> };

/** More jobs than one site ever has open. */
const max = 100;
export const pageSize = 200;
/** Older archives are found by a search. */
const maxLocals = '50';
const staleTags = ['jobs', 'backupJobs'] as const;

export const sitePath = (siteId: string) => `/sites/${encodeURIComponent(siteId)}/backups` as const;
const backupPath = ({ siteId, filename }: ArchiveRef) => `${sitePath(siteId)}/${encodeURIComponent(filename)}` as const;
const localPath = ({ siteId, filename }: ArchiveRef) =>
  `${sitePath(siteId)}/local/${encodeURIComponent(filename)}` as const;

const Link = z.object({ url: z.string().startsWith('/api/backups/files/') });

export const backupsApi = api
  .enhanceEndpoints({ addTagTypes: ['jobs', 'sites', 'backups', 'backupJobs'] })
  .injectEndpoints({
    endpoints: (build) => ({
      backupsInfo: build.query<Info, string>({
        query: (siteId) => ({ path: `${sitePath(siteId)}/info`, output: readBackupsInfo.output }),
      }),
      /** Lists the files on the host at this moment. */
      backups: build.query<readonly Backup[], string>({
        query: (siteId) => ({ path: sitePath(siteId), output: z.array(Backup) }),
        providesTags: (_, __, id) => [{ type: 'backups', id }],
      }),
      localBackups: build.query<LocalPage, LocalQuery>({
        query: ({ siteId, ...query }) => ({
          path: `${sitePath(siteId)}/local?${new URLSearchParams({ ...query, limit: maxLocals })}`,
          output: z.array(LocalBackup),
        }),
        transformResponse: (items: LocalBackup[], meta) => ({ items, total: meta?.total ?? items.length }),
        providesTags: (_, __, { siteId: id }) => [{ type: 'backups', id }],
      }),
      /** Newest first. */
      backupJobs: build.query<readonly JobItem[], string>({
        query: (siteId) => ({
          path: `/jobs?site_id=${encodeURIComponent(siteId)}&limit=${max}`,
          output: listJobs.output,
        }),
        transformResponse: ({ items }: { items: JobItem[] }) => items.filter(({ kind }) => kind.startsWith('backups.')),
        providesTags: ['backupJobs'],
        onQueryStarted: (siteId, { dispatch, queryFulfilled, ...store }) => {
          const before = backupsApi.endpoints.backupJobs.select(siteId)(store.getState() as never).data;
          const endedIds = new Set(before?.filter(({ state }) => isFinal(state)).map(({ id }) => id));
          const follow = ({ data }: { data: readonly JobItem[] }) => {
            const hasEnded = before && data.some(({ id, state }) => isFinal(state) && !endedIds.has(id));
            if (hasEnded) dispatch(backupsApi.util.invalidateTags([{ type: 'backups', id: siteId }, 'sites']));
          };
          queryFulfilled.then(follow, () => undefined);
        },
      }),
    }),
  });

export const backupCommandsApi = backupsApi.injectEndpoints({
  endpoints: (build) => ({
    createBackup: build.mutation<JobTicket, Creation<{ siteId: string; excludeCache: boolean }>>({
      query: ({ siteId, excludeCache, idempotencyKey }) => ({
        path: sitePath(siteId),
        method: 'POST',
        body: { exclude_cache: excludeCache },
        output: JobTicket,
        idempotencyKey,
      }),
      invalidatesTags: staleTags,
    }),
    downloadBackup: build.mutation<JobTicket, Creation<ArchiveRef>>({
      query: ({ idempotencyKey, ...archiveRef }) => ({
        path: `${backupPath(archiveRef)}/download`,
        method: 'POST',
        output: JobTicket,
        idempotencyKey,
      }),
      invalidatesTags: staleTags,
    }),
    importBackup: build.mutation<JobTicket, Creation<ArchiveRef>>({
      query: ({ siteId, filename, idempotencyKey }) => ({
        path: `${sitePath(siteId)}/import`,
        method: 'POST',
        body: { filename },
        output: JobTicket,
        idempotencyKey,
      }),
      invalidatesTags: staleTags,
    }),
    verifyBackup: build.mutation<JobTicket, Creation<ArchiveRef & { location: LocationParam }>>({
      query: ({ location, idempotencyKey, ...archiveRef }) => ({
        path: `${backupPath(archiveRef)}/verify`,
        method: 'POST',
        body: { location },
        output: JobTicket,
        idempotencyKey,
      }),
      invalidatesTags: staleTags,
    }),
    restoreBackup: build.mutation<JobTicket, Creation<ArchiveRef & RestoreOptions & { location: LocationParam }>>({
      query: ({ siteId, filename, idempotencyKey, ...options }) => ({
        path: `${backupPath({ siteId, filename })}/restore`,
        method: 'POST',
        // The dialog only submits after the user has typed the word.
        body: { confirm: restoreWord, ...options },
        output: JobTicket,
        idempotencyKey,
      }),
      invalidatesTags: staleTags,
    }),
    deleteBackup: build.mutation<object, ArchiveRef & { location: LocationParam }>({
      query: ({ location, ...archiveRef }) => ({
        path: `${backupPath(archiveRef)}?location=${location}`,
        method: 'DELETE',
        output: deleteBackup.output,
      }),
      invalidatesTags: (_, __, { siteId: id }) => [{ type: 'backups', id }, 'sites'],
    }),
  }),
});

export const archivesApi = backupsApi.injectEndpoints({
  endpoints: (build) => ({
    /** A download link that the browser can open without the session's header, for an archive or a part of it. */
    linkBackup: build.mutation<z.infer<typeof Link>, ArchiveRef & { part?: Part | undefined }>({
      query: ({ part = {}, ...archiveRef }) => ({
        path: `${localPath(archiveRef)}/link`,
        method: 'POST',
        body: part,
        output: Link,
      }),
    }),
    archive: build.query<Listing, ArchiveRef & { path: string; q: string; offset: number }>({
      query: ({ path, q, offset, ...archiveRef }) => ({
        path: `${localPath(archiveRef)}/entries?${new URLSearchParams({ path, q, offset: String(offset), limit: String(pageSize) })}`,
        output: listArchive.output,
      }),
    }),
    comparison: build.query<Comparison, ArchiveRef & { other: string; offset: number }>({
      query: ({ other, offset, ...archiveRef }) => ({
        path: `${localPath(archiveRef)}/compare?${new URLSearchParams({ with: other, offset: String(offset), limit: String(pageSize) })}`,
        output: compareArchives.output,
        timeoutMs: 65_000,
      }),
    }),
  }),
});

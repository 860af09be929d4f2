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
import type { Wanted } from './restoring';

export type Info = z.infer<typeof readBackupsInfo.output>;
export type Listing = z.infer<typeof listArchive.output>;
export type Comparison = z.infer<typeof compareArchives.output>;
type Place = 'remote' | 'local';
type Named = { site: string; filename: string };
type Creation<Form> = Form & { idempotencyKey: string };
/** `q` searches, `filename` finds one archive. */
type Which = { site: string; q?: string; filename?: string };
type LocalPage = { items: readonly LocalBackup[]; total: number };
type Part = { path: string; kind: Exclude<ArchiveEntry['kind'], 'folder'> };

/** More jobs than one site ever has open. */
const max = 100;
export const pageSize = 200;
/** Older archives are found by a search. */
const maxLocals = '50';
const stale = ['jobs', 'backupJobs'] as const;

export const ofSite = (site: string) => `/sites/${encodeURIComponent(site)}/backups` as const;
const ofBackup = ({ site, filename }: Named) => `${ofSite(site)}/${encodeURIComponent(filename)}` as const;
const ofLocal = ({ site, filename }: Named) => `${ofSite(site)}/local/${encodeURIComponent(filename)}` as const;

const Link = z.object({ url: z.string().startsWith('/api/backups/files/') });

export const backupsApi = api
  .enhanceEndpoints({ addTagTypes: ['jobs', 'sites', 'backups', 'backupJobs'] })
  .injectEndpoints({
    endpoints: (build) => ({
      backupsInfo: build.query<Info, string>({
        query: (site) => ({ path: `${ofSite(site)}/info`, output: readBackupsInfo.output }),
      }),
      /** Lists the files on the host at this moment. */
      backups: build.query<readonly Backup[], string>({
        query: (site) => ({ path: ofSite(site), output: z.array(Backup) }),
        providesTags: (_, __, id) => [{ type: 'backups', id }],
      }),
      localBackups: build.query<LocalPage, Which>({
        query: ({ site, ...which }) => ({
          path: `${ofSite(site)}/local?${new URLSearchParams({ ...which, limit: maxLocals })}`,
          output: z.array(LocalBackup),
        }),
        transformResponse: (items: LocalBackup[], meta) => ({ items, total: meta?.total ?? items.length }),
        providesTags: (_, __, { site: id }) => [{ type: 'backups', id }],
      }),
      /** Newest first. */
      backupJobs: build.query<readonly JobItem[], string>({
        query: (site) => ({ path: `/jobs?site_id=${encodeURIComponent(site)}&limit=${max}`, output: listJobs.output }),
        transformResponse: ({ items }: { items: JobItem[] }) => items.filter(({ kind }) => kind.startsWith('backups.')),
        providesTags: ['backupJobs'],
        onQueryStarted: (site, { dispatch, queryFulfilled, ...store }) => {
          const before = backupsApi.endpoints.backupJobs.select(site)(store.getState() as never).data;
          const wasOver = new Set(before?.filter(({ state }) => isFinal(state)).map(({ id }) => id));
          const follow = ({ data }: { data: readonly JobItem[] }) => {
            const hasEnded = before && data.some(({ id, state }) => isFinal(state) && !wasOver.has(id));
            if (hasEnded) dispatch(backupsApi.util.invalidateTags([{ type: 'backups', id: site }, 'sites']));
          };
          queryFulfilled.then(follow, () => undefined);
        },
      }),
    }),
  });

export const backupCommandsApi = backupsApi.injectEndpoints({
  endpoints: (build) => ({
    createBackup: build.mutation<JobTicket, Creation<{ site: string; excludeCache: boolean }>>({
      query: ({ site, excludeCache, idempotencyKey }) => ({
        path: ofSite(site),
        method: 'POST',
        body: { exclude_cache: excludeCache },
        output: JobTicket,
        idempotencyKey,
      }),
      invalidatesTags: stale,
    }),
    downloadBackup: build.mutation<JobTicket, Creation<Named>>({
      query: ({ idempotencyKey, ...named }) => ({
        path: `${ofBackup(named)}/download`,
        method: 'POST',
        output: JobTicket,
        idempotencyKey,
      }),
      invalidatesTags: stale,
    }),
    importBackup: build.mutation<JobTicket, Creation<Named>>({
      query: ({ site, filename, idempotencyKey }) => ({
        path: `${ofSite(site)}/import`,
        method: 'POST',
        body: { filename },
        output: JobTicket,
        idempotencyKey,
      }),
      invalidatesTags: stale,
    }),
    verifyBackup: build.mutation<JobTicket, Creation<Named & { location: Place }>>({
      query: ({ location, idempotencyKey, ...named }) => ({
        path: `${ofBackup(named)}/verify`,
        method: 'POST',
        body: { location },
        output: JobTicket,
        idempotencyKey,
      }),
      invalidatesTags: stale,
    }),
    restoreBackup: build.mutation<JobTicket, Creation<Named & Wanted & { location: Place }>>({
      query: ({ site, filename, idempotencyKey, ...wanted }) => ({
        path: `${ofBackup({ site, filename })}/restore`,
        method: 'POST',
        // The dialog only submits after the user has typed the word.
        body: { confirm: restoreWord, ...wanted },
        output: JobTicket,
        idempotencyKey,
      }),
      invalidatesTags: stale,
    }),
    deleteBackup: build.mutation<object, Named & { location: Place }>({
      query: ({ location, ...named }) => ({
        path: `${ofBackup(named)}?location=${location}`,
        method: 'DELETE',
        output: deleteBackup.output,
      }),
      invalidatesTags: (_, __, { site: id }) => [{ type: 'backups', id }, 'sites'],
    }),
  }),
});

export const archivesApi = backupsApi.injectEndpoints({
  endpoints: (build) => ({
    /** A download link that the browser can open without the session's header, for an archive or a part of it. */
    linkBackup: build.mutation<z.infer<typeof Link>, Named & { part?: Part | undefined }>({
      query: ({ part = {}, ...named }) => ({
        path: `${ofLocal(named)}/link`,
        method: 'POST',
        body: part,
        output: Link,
      }),
    }),
    archive: build.query<Listing, Named & { path: string; q: string; offset: number }>({
      query: ({ path, q, offset, ...named }) => ({
        path: `${ofLocal(named)}/entries?${new URLSearchParams({ path, q, offset: String(offset), limit: String(pageSize) })}`,
        output: listArchive.output,
      }),
    }),
    comparison: build.query<Comparison, Named & { other: string; offset: number }>({
      query: ({ other, offset, ...named }) => ({
        path: `${ofLocal(named)}/compare?${new URLSearchParams({ with: other, offset: String(offset), limit: String(pageSize) })}`,
        output: compareArchives.output,
        patienceMs: 65_000,
      }),
    }),
  }),
});

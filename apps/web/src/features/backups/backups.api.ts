import {
  compareArchives,
  createBackup,
  deleteBackup,
  downloadBackup,
  importBackup,
  linkBackup,
  listArchive,
  listBackups,
  listLocalBackups,
  readBackupsInfo,
  verifyBackup,
} from '@vigie/contracts/backups';
import { callOf, type Fields, type Received } from '@vigie/contracts/calls';
import type { JobItem } from '@vigie/contracts/jobs';
import { restoreBackup } from '@vigie/contracts/restores';
import { api } from '../../kit/query/api';
import { siteJobsOf } from '../../kit/job/jobs.api';
import { creationOf, mutationOf, queryOf } from '../../kit/query/endpoints';
import { failureText } from './words';

export type Listing = Received<typeof listArchive>;
export type Comparison = Received<typeof compareArchives>;

export const pageSize = 200;
/** Older archives are found by a search. */
export const maxLocals = 50;

export type ArchiveRef = { id: string; filename: string };
/** The fields to list a folder of an archive, or to search below it. */
export const listingOf = (archive: ArchiveRef, { folder = '', find = '', sheet = 1 } = {}) => ({
  ...archive,
  path: folder,
  q: find,
  offset: (sheet - 1) * pageSize,
  limit: pageSize,
});

/** The backups of one site stay fresh while those of another change. */
const tagsOfSite = (_: unknown, __: unknown, { id }: { id: string }) => [{ type: 'backups', id } as const];

export const backupsApi = api.injectEndpoints({
  endpoints: (build) => ({
    backupsInfo: build.query(queryOf(readBackupsInfo)),
    /** Lists the files on the host at this moment. */
    backups: build.query({ ...queryOf(listBackups), providesTags: tagsOfSite }),
    localBackups: build.query({ ...queryOf(listLocalBackups), providesTags: tagsOfSite }),
    backupJobs: build.query<readonly JobItem[], string>({
      ...siteJobsOf('backups.', (_, id, dispatch) =>
        dispatch(api.util.invalidateTags([{ type: 'backups', id }, 'sites'])),
      ),
      providesTags: ['backup-jobs'],
    }),
  }),
});

export const backupCommandsApi = backupsApi.injectEndpoints({
  endpoints: (build) => ({
    createBackup: build.mutation(creationOf(createBackup, failureText('backups.create'))),
    downloadBackup: build.mutation(creationOf(downloadBackup, failureText('backups.download'))),
    importBackup: build.mutation(creationOf(importBackup, failureText('backups.import'))),
    verifyBackup: build.mutation(creationOf(verifyBackup, failureText('backups.verify'))),
    restoreBackup: build.mutation(creationOf(restoreBackup, failureText('backups.restore'))),
    deleteBackup: build.mutation({
      ...mutationOf(deleteBackup, 'Échec de la suppression.'),
      invalidatesTags: (_, __, { id }) => [{ type: 'backups', id }, 'sites'],
    }),
  }),
});

export const archivesApi = backupsApi.injectEndpoints({
  endpoints: (build) => ({
    /** A download link that the browser can open without the session's header, for an archive or a part of it. */
    linkBackup: build.mutation(mutationOf(linkBackup, 'Échec du téléchargement.')),
    archive: build.query(queryOf(listArchive)),
    comparison: build.query({
      ...queryOf(compareArchives),
      // The address names the other archive `with`.
      query: ({ other, ...rest }: Fields<typeof compareArchives>) =>
        callOf(compareArchives, { ...rest, with: other } as never),
    }),
  }),
});

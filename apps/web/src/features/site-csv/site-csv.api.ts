import { callOf, type Fields, type Received } from '@vigie/contracts/calls';
import {
  exportChosenSites,
  exportSites,
  importSiteCsv,
  previewSiteCsv,
  type SiteCsvLine,
  type SiteCsvVerdict,
} from '@vigie/contracts/site-csv';
import { api } from '../../kit/query/api';
import { creationOf, mutationOf } from '../../kit/query/endpoints';
import { useExport } from '../../kit/query/useExport';

/** A line as it was typed, and what would become of it. */
export type PreviewLine = { typed: SiteCsvLine; verdict: SiteCsvVerdict };
export type ImportResult = Received<typeof importSiteCsv>;

export const previewFailed = 'Ce fichier n’a pas pu être vérifié.';
export const importFailed = 'Échec de la création du site.';

export const siteCsvApi = api.injectEndpoints({
  endpoints: (build) => ({
    previewSiteCsv: build.mutation(mutationOf(previewSiteCsv, previewFailed)),
    importSiteCsv: build.mutation(creationOf(importSiteCsv, importFailed)),
  }),
});

/** Downloads sites as a CSV file: all of a filter, or the chosen ones. */
export function useSitesExport() {
  const { run } = useExport();
  const filename = () => `sites-${new Date().toISOString().slice(0, 10)}.csv`;
  return {
    exportFilter: (filter: Fields<typeof exportSites>) => run(filename(), callOf(exportSites, filter)),
    exportChosen: (ids: readonly string[]) => run(filename(), callOf(exportChosenSites, { ids })),
  };
}

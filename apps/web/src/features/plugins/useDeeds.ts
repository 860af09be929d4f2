import type { PluginItem } from '@vigie/contracts/plugins';
import { useRef, useState } from 'react';
import { fetchFile } from '../../app/fetchFile';
import { tellFailure } from '../../app/tellFailure';
import { useFollowBatch } from '../../app/useBegun';
import { useIdempotencyKey } from '../../app/useIdempotencyKey';
import { saveFile } from '../../ui/saveFile';
import { exportPath, pluginsApi, type Question } from './plugins.api';

/** As many sites as one plan is for. */
const maxSites = 500;

/** A plugin to be updated wherever that waits. */
export type Everywhere = { slug: string; name: string; sites: readonly string[]; leftOut: number };

const notFound = 'Impossible de trouver les sites où cette mise à jour attend.';
/** Why the sites of a plugin were not found. */
export type Refused = { slug: string; sentence: string };

/** Finds the sites where a plugin waits for its update, for whoever plans it. */
export function useEverywhere(group: string | undefined, onFound: (found: Everywhere) => void) {
  const [ask] = pluginsApi.useLazyPluginSitesQuery();
  const [asking, setAsking] = useState<string>();
  const [refused, setRefused] = useState<Refused>();
  const latest = useRef(0);
  const find = async ({ plugin: slug, name }: Pick<PluginItem, 'plugin' | 'name'>): Promise<void> => {
    const turn = ++latest.current;
    setAsking(slug);
    setRefused(undefined);
    const { data, error } = await ask({ slug, only_updates: '1', group_id: group, limit: maxSites, offset: 0 });
    // Somebody asked for another one meanwhile, which has the place of the plan.
    if (turn !== latest.current) return;
    setAsking(undefined);
    if (!data) return setRefused({ slug, sentence: tellFailure(error, notFound) });
    const sites = data.items.map(({ site_id: id }) => id);
    onFound({ slug, name, sites, leftOut: data.total - sites.length });
  };
  return { asking, refused, find: (plugin: Pick<PluginItem, 'plugin' | 'name'>) => void find(plugin) };
}

/** The dock shows what comes of each. */
export function useRetry(group: string | undefined) {
  const [retry, { isLoading }] = pluginsApi.useRetryFailuresMutation();
  const { keyFor, renewKey } = useIdempotencyKey();
  const follow = useFollowBatch();
  const [failure, setFailure] = useState<string>();
  const run = async (): Promise<void> => {
    setFailure(undefined);
    const { data, error } = await retry({ group_id: group, idempotencyKey: keyFor({ group }) });
    if (!data) return setFailure(tellFailure(error, 'Les sites en échec n’ont pas pu être testés.'));
    renewKey();
    follow(data.job_id);
  };
  return { isBusy: isLoading, failure, run: () => void run() };
}

/** Every plugin of every site that is asked for, as a file. */
export function useExport({ q, only_updates: only, group_id: group }: Question) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const run = async (): Promise<void> => {
    setBusy(true);
    const { file, failure: why } = await fetchFile(
      exportPath({ q, only_updates: only, group_id: group }),
      'L’export n’est pas arrivé entier.',
    );
    setBusy(false);
    setFailure(why);
    if (file) saveFile('plugins.csv', file);
  };
  return { isBusy, failure, run: () => void run() };
}

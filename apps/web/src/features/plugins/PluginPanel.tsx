import { Box, Group, Text } from '@mantine/core';
import { CloudOff, SearchX } from 'lucide-react';
import { isApiError } from '../../kit/query/api-error';
import { useListQuery } from '../../kit/list/useListQuery';
import { usePollInterval, whileVisible } from '../../kit/query/usePollInterval';
import { EmptyState } from '../../ui/EmptyState';
import { Failure } from '../../ui/Failure';
import { Lines } from '../../ui/Lines';
import { Pager } from '../../kit/list/Pager';
import { plural } from '../../ui/plural';
import { RetryButton } from '../../ui/RetryButton';
import { SearchField, useDebouncedSearch } from '../../kit/list/SearchField';
import { SidePanel } from '../../kit/dialog/SidePanel';
import { Skeleton } from '../../ui/Skeleton';
import { pageToShow, usePages } from '../../kit/list/usePages';
import { pluginsApi } from './plugins.api';
import type { Change, PluginsSearch } from './search';
import { SiteLine, type UpdateComponent } from './SiteLine';
import { OnlyUpdates } from './Toolbar';

const size = 50;
const pollMs = 60_000;
const runningJobMs = 2_000;

type Props = {
  slug: string;
  search: PluginsSearch;
  Update: UpdateComponent;
  onChange: Change;
  onClose: () => void;
};

function useSites({ slug, search }: Pick<Props, 'slug' | 'search'>) {
  const { sites_q: q = '', sites_updates: updates, sites_page: page = 1, group: groupId } = search;
  const params = {
    slug,
    q: useDebouncedSearch(q),
    only_updates: updates ? ('1' as const) : ('0' as const),
    group_id: groupId,
    sort: 'name_asc' as const,
    limit: size,
    offset: (page - 1) * size,
  };
  const cached = pluginsApi.endpoints.pluginSites.useQueryState(params);
  const hasRunningJob = cached.currentData?.items.some(({ job_id: jobId }) => jobId !== null) ?? false;
  const pollingInterval = usePollInterval(cached, hasRunningJob ? runningJobMs : pollMs);
  const answer = pluginsApi.usePluginSitesQuery(params, {
    pollingInterval,
    refetchOnMountOrArgChange: true,
    ...whileVisible,
  });
  return useListQuery(answer, 'Impossible de charger les sites de ce plugin.');
}

function PluginSites({
  answer,
  search,
  slug,
  Update,
  onChange,
}: Omit<Props, 'onClose'> & { answer: ReturnType<typeof useSites> }) {
  const page = pageToShow(answer);
  const { currentData, sentence, error, isFetching, refresh } = answer;
  const goTo = usePages({ page: search.sites_page, size, total: currentData?.total }, (next) =>
    onChange({ sites_page: next }),
  );
  const retryButton = <RetryButton isBusy={isFetching} onRetry={refresh} />;
  if (!page && sentence === undefined) return <Skeleton rows={6} />;
  if (!page) {
    const isPluginMissing = isApiError(error) && error.status === 404;
    return (
      <EmptyState
        icon={isPluginMissing ? SearchX : CloudOff}
        title={sentence ?? ''}
        {...(!isPluginMissing && { actions: retryButton })}
      />
    );
  }
  const { items, name, total } = page;
  return (
    <>
      <Failure sentence={sentence}>{retryButton}</Failure>
      {items.length === 0 && <EmptyState icon={SearchX} title="Aucun site ne correspond." />}
      <Lines tabIndex={-1} data-sites aria-label={`Sites qui ont ${name}`} style={{ '--site': '6px var(--gutter)' }}>
        {items.map((site) => (
          <SiteLine key={site.site_id} plugin={{ slug, name }} site={site} Update={Update} />
        ))}
      </Lines>
      <Pager label="Pages des sites" page={search.sites_page ?? 1} size={size} total={total} onChange={goTo} />
    </>
  );
}

/** Lists all sites that have a plugin, beside the list of plugins. */
export function PluginPanel(props: Props) {
  const { search, onChange, onClose } = props;
  const answer = useSites(props);
  const { data } = answer;
  return (
    <SidePanel title={data?.name ?? props.slug} onClose={onClose}>
      <Group
        component="search"
        gap="8px 16px"
        p="12px var(--gutter)"
        style={{ borderBottom: '1px solid var(--border)' }}
      >
        <Box flex="1 1 100%">
          <SearchField
            label="Rechercher un site"
            value={search.sites_q ?? ''}
            onChange={(q) => onChange({ sites_q: q || undefined, sites_page: undefined })}
          />
        </Box>
        <OnlyUpdates
          isOn={search.sites_updates === true}
          onChange={(isOn) => onChange({ sites_updates: isOn || undefined, sites_page: undefined })}
        />
        <Text component="output" variant="note">
          {data && plural(data.total, 'site', 'sites')}
        </Text>
      </Group>
      <PluginSites answer={answer} {...props} />
    </SidePanel>
  );
}

import { Button, Stack, Tabs } from '@mantine/core';
import '@mantine/core/styles/Tabs.layer.css';
import type { DnsConfig } from '@vigie/contracts/dns-config';
import { KeyRound } from 'lucide-react';
import { PendingCard } from '../../kit/list/PendingCard';
import { useStoredSession } from '../../kit/query/session';
import { EmptyState } from '../../ui/EmptyState';
import { ListFrame } from '../../kit/list/ListScreen';
import { useNarrow } from '../../ui/useNarrow';
import { ConfigTab } from './ConfigTab';
import { MappingTab } from './MappingTab';
import { Page } from '../../ui/Page';
import styles from './dns.module.css';
import { RecordsTab } from './RecordsTab';
import { type Change, type Tab, tabOf, tabs, unfiltered, type ZonesSearch } from './search';
import { ZonesTab } from './ZonesTab';
import { zonesApi } from './zones.api';
import { useNavigate } from '@tanstack/react-router';
import { changeSearch } from '../../kit/list/search-params';

/** The address holds what the page shows. Tabs, zones and panels add a history entry; filters and forms do not. */
function useShow(): Change {
  const navigate = useNavigate();
  return (change, options) => void navigate({ to: '/cloudflare', ...changeSearch<ZonesSearch>(change, options) });
}

type Search = ZonesSearch & { panel?: 'profile' | undefined };

const titles: Readonly<Record<Tab, string>> = {
  config: 'Configuration',
  zones: 'Zones',
  mapping: 'Sites liés',
  dns: 'Enregistrements',
};

const loadedAnswer = { data: true, sentence: undefined, isFetching: false, refresh: () => undefined };

const CloudflareNotLinked = ({ show }: { show: Change }) => (
  <ListFrame answer={loadedAnswer}>
    <EmptyState
      icon={KeyRound}
      title="Cloudflare n’est pas encore relié."
      actions={
        <Button onClick={() => show({ ...unfiltered, tab: 'config' }, { isStep: true })}>Relier Cloudflare</Button>
      }
    >
      <p>Donnez à Vigie un jeton d’API pour voir vos zones et modifier leurs enregistrements.</p>
    </EmptyState>
  </ListFrame>
);

type PanelProps = { tab: Tab; config: DnsConfig | undefined; isLinked: boolean; search: Search; show: Change };

function Panel({ tab, config, isLinked, search, show }: PanelProps) {
  if (tab === 'config' && config) {
    return (
      <ConfigTab
        config={config}
        onCreated={() => show({ ...unfiltered, tab: 'zones' }, { isStep: true, isSaved: true })}
      />
    );
  }
  if (!isLinked) return <CloudflareNotLinked show={show} />;
  if (tab === 'zones') return <ZonesTab search={search} show={show} />;
  if (tab === 'mapping') return <MappingTab search={search} show={show} />;
  return search.zone === undefined ? null : (
    <RecordsTab key={search.zone} zoneId={search.zone} search={search} show={show} />
  );
}

function Content({ config, search }: { config: DnsConfig | undefined; search: Search }) {
  const show = useShow();
  const isNarrow = useNarrow(480);
  const { isAdmin, adminMode } = useStoredSession();
  // In admin mode an administrator sees everybody's zones without a configuration of their own.
  const isLinked = !config || config.has_config || (isAdmin && adminMode);
  const activeTab = tabOf(search, isLinked);
  const isRecordsTabDisabled = search.zone === undefined || !isLinked;
  const openTab = (value: string | null) => {
    const tab = tabs.find((name) => name === value);
    if (tab && tab !== activeTab) show({ ...unfiltered, tab }, { isStep: true });
  };
  return (
    <Tabs value={activeTab} onChange={openTab} keepMounted={false} activateTabWithKeyboard={false}>
      <Tabs.List aria-label="DNS" className={styles['tabs']}>
        {tabs.map((tab) => (
          <Tabs.Tab
            key={tab}
            value={tab}
            disabled={tab === 'dns' && isRecordsTabDisabled}
            title={tab === 'dns' && isRecordsTabDisabled ? 'Choisissez d’abord une zone.' : undefined}
            flex="none"
            mih="max(40px, var(--control-height))"
            px={{ base: 10, sm: 12 }}
            fw={500}
          >
            {/* A short title keeps all four tabs visible on a phone. */}
            {tab === 'dns' && isNarrow ? 'DNS' : titles[tab]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={activeTab}>
        <Stack gap={16} pt={16}>
          <Panel tab={activeTab} config={config} isLinked={isLinked} search={search} show={show} />
        </Stack>
      </Tabs.Panel>
    </Tabs>
  );
}

export function ZonesPage({ search }: { search: Search }) {
  const { data, error, isFetching, refetch } = zonesApi.useDnsConfigQuery(undefined, {
    refetchOnMountOrArgChange: true,
  });
  // Loads a tab that the address names without waiting for the configuration.
  const isTabInAddress = tabOf(search, false) !== 'config';
  return (
    <Page title="DNS" lead="Vos zones chez Cloudflare, leurs enregistrements et les sites qui y sont liés.">
      {data || (isTabInAddress && !error) ? (
        <Content config={data} search={search} />
      ) : (
        <PendingCard
          failure="Failed to load configuration"
          error={error}
          isFetching={isFetching}
          onRetry={() => void refetch()}
        />
      )}
    </Page>
  );
}

import { Stack, Tabs } from '@mantine/core';
import '@mantine/core/styles/Tabs.layer.css';
import { lazyRouteComponent, useNavigate } from '@tanstack/react-router';
import { Suspense } from 'react';
import type { ChannelsSearch } from '../../features/channels/search';
import { MailSettings } from '../../features/notifications/MailSettings';
import { type ChangeSearch, changeSearch } from '../../kit/list/search-params';
import { Page } from '../../ui/Page';
import { Skeleton } from '../../ui/Skeleton';
import type { NotificationsSearch } from '../notifications-search';

const Channels = lazyRouteComponent(() => import('../../features/channels/Channels'), 'Channels');
const Deliveries = lazyRouteComponent(() => import('../../features/channels/Deliveries'), 'Deliveries');

const tabs = [
  { value: 'mails', title: 'Envoi des emails' },
  { value: 'channels', title: 'Canaux' },
  { value: 'deliveries', title: 'Messages' },
] as const;
type Tab = (typeof tabs)[number]['value'];

/** The search of one tab means nothing to the others. */
function useShow() {
  const navigate = useNavigate();
  const show: ChangeSearch<ChannelsSearch> = (change, options) =>
    void navigate({ to: '/notifications', ...changeSearch<NotificationsSearch>(change, options) });
  const openTab = (tab: Tab) =>
    void navigate({ to: '/notifications', search: tab === 'mails' ? {} : { tab }, resetScroll: false });
  return { show, openTab };
}

type Props = { search: NotificationsSearch };

function Panel({ search, show }: Props & { show: ChangeSearch<ChannelsSearch> }) {
  if (search.tab === 'channels') return <Channels search={search} show={show} />;
  if (search.tab === 'deliveries') return <Deliveries search={search} show={show} />;
  return <MailSettings />;
}

/** How mails are sent, where Vigie tells of incidents, and what it told. */
export function NotificationsScreen({ search }: Props) {
  const { show, openTab } = useShow();
  const active = search.tab ?? 'mails';
  const change = (value: string | null) => {
    const tab = tabs.find((other) => other.value === value);
    if (tab && tab.value !== active) openTab(tab.value);
  };
  return (
    <Page
      title="Notifications"
      lead="Choisissez où Vigie vous prévient, relisez ce qu’elle a envoyé, et réglez l’envoi des emails."
      maxWidth={1100}
    >
      <Tabs value={active} onChange={change} keepMounted={false} activateTabWithKeyboard={false}>
        <Tabs.List aria-label="Notifications" style={{ '--tab-hover-color': 'var(--hover)' }}>
          {tabs.map(({ value, title }) => (
            <Tabs.Tab
              key={value}
              value={value}
              flex="none"
              mih="max(40px, var(--control-height))"
              px={{ base: 10, sm: 12 }}
              fw={500}
            >
              {title}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={active}>
          <Stack gap={16} pt={16}>
            <Suspense fallback={<Skeleton rows={3} />}>
              <Panel search={search} show={show} />
            </Suspense>
          </Stack>
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

import { Tabs } from '@mantine/core';
import '@mantine/core/styles/Tabs.layer.css';
import { type ComponentProps, useState } from 'react';
import { CodeForm, type CodeKind } from './CodeForm';
import styles from './sessions.module.css';

const tabs: readonly { kind: CodeKind; title: string }[] = [
  { kind: 'totp_code', title: 'Code de l’application' },
  { kind: 'backup_code', title: 'Code de récupération' },
];

type Props = Omit<ComponentProps<typeof CodeForm>, 'kind'> & { onTabChange: () => void };

export function CodeStep({ onTabChange, ...form }: Props) {
  const [activeTab, setActiveTab] = useState<string | null>('totp_code');
  const changeTab = (kind: string | null) => {
    onTabChange();
    setActiveTab(kind);
  };
  return (
    <Tabs value={activeTab} onChange={changeTab} keepMounted={false} activateTabWithKeyboard={false}>
      <Tabs.List aria-label="Second facteur" mb={20}>
        {tabs.map(({ kind, title }) => (
          <Tabs.Tab
            key={kind}
            value={kind}
            flex={1}
            mih="var(--control-height)"
            p="8px 4px"
            fw={500}
            className={styles['tab']}
          >
            {title}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ kind }) => (
        <Tabs.Panel key={kind} value={kind}>
          <CodeForm kind={kind} {...form} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

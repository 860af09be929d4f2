import { Button, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Server } from '@vigie/contracts/servers';
import { Ellipsis, FolderSearch, KeyRound, Pencil, PlugZap, SquareTerminal, Trash2, UserRoundPen } from 'lucide-react';
import { useGroupNames } from '../../kit/fleet/groups';
import { useOwnerLabel } from '../../kit/fleet/owners';
import { AddressLine } from '../../ui/AddressLine';
import { useIsAdmin } from '../../kit/fleet/users';
import { Dropdown } from '../../ui/Dropdown';
import { MenuItems } from '../../ui/MenuItems';
import { PageHead } from '../../ui/Page';
import { TypeBadge } from '../../ui/Status';
import toolbar from '../../ui/Toolbar.module.css';
import { ServerState, Uptime } from './ServerState';

type Actions = {
  isTesting: boolean;
  onTest: () => void;
  onEdit: () => void;
  onCopyKey: () => void;
  onGive: () => void;
  onDelete: () => void;
};
type Props = Actions & { server: Server };

function Facts({ server }: { server: Server }) {
  const groups = useGroupNames()(server.groups);
  const facts = [
    useOwnerLabel(server),
    server.provider,
    groups.map(({ name }) => name).join(', '),
    server.has_password ? 'Connexion par mot de passe' : 'Connexion par clé',
  ].filter(Boolean);
  return (
    <Text c="muted" fz={13}>
      {facts.join(' · ')}
      {server.status.uptime !== null && (
        <>
          {' · Uptime\u00a0: '}
          <Uptime status={server.status} />
        </>
      )}
    </Text>
  );
}

const More = ({ onCopyKey, onGive, onDelete }: Pick<Actions, 'onCopyKey' | 'onGive' | 'onDelete'>) => {
  const mayGive = useIsAdmin();
  return (
    <Dropdown label="Plus" icon={Ellipsis}>
      {(close) => (
        <MenuItems
          close={close}
          items={[
            { label: 'Copier la clé publique', icon: KeyRound, run: onCopyKey },
            ...(mayGive ? [{ label: 'Confier à…', icon: UserRoundPen, run: onGive }] : []),
            { label: 'Supprimer', icon: Trash2, isDanger: true, run: onDelete },
          ]}
        />
      )}
    </Dropdown>
  );
};

function HeadActions({ server: { id }, isTesting, onTest, onEdit, ...more }: Props) {
  return (
    <div className={toolbar['actions']}>
      <Button
        leftSection={<SquareTerminal size={16} aria-hidden />}
        renderRoot={(props) => (
          <Link {...props} to="/servers/$serverId/console" params={{ serverId: id }} search={{}} preload={false} />
        )}
      >
        Console
      </Button>
      <Button variant="default" loading={isTesting} leftSection={<PlugZap size={16} aria-hidden />} onClick={onTest}>
        Tester
      </Button>
      <Button
        variant="default"
        leftSection={<FolderSearch size={16} aria-hidden />}
        renderRoot={(props) => (
          <Link
            {...props}
            to="/servers/$serverId"
            params={{ serverId: id }}
            search={(current: object) => ({ ...current, discover: true as const, found: undefined })}
            replace
            resetScroll={false}
          />
        )}
      >
        Découvrir les sites
      </Button>
      <Button variant="default" leftSection={<Pencil size={16} aria-hidden />} onClick={onEdit}>
        Modifier
      </Button>
      <More {...more} />
    </div>
  );
}

/** The name, the state and the address of a server, with its actions. */
export const ServerHead = (props: Props) => (
  <PageHead>
    <Stack gap={4} miw={0} maw="100%">
      <Group gap="4px 10px">
        <h1>{props.server.name}</h1>
        <TypeBadge type={props.server.type} />
        <ServerState status={props.server.status} hasReason={false} />
      </Group>
      <AddressLine server={props.server} />
      <Facts server={props.server} />
    </Stack>
    <HeadActions {...props} />
  </PageHead>
);

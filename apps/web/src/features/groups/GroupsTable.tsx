import { Group as Row, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { withDe } from '@vigie/contracts/french';
import { createGrant } from '@vigie/contracts/grants';
import { deleteGroup, editGroup, type Group } from '@vigie/contracts/groups';
import { createMaintenanceWindow } from '@vigie/contracts/maintenance-windows';
import { changeOwner } from '@vigie/contracts/owner-changes';
import { saveStatusPage } from '@vigie/contracts/status-pages';
import { ChevronRight, Globe, Pencil, Share2, Trash2, UserRoundPen, Wrench } from 'lucide-react';
import type { Node } from '../../kit/fleet/groups-tree';
import { allows } from '../../kit/fleet/roles';
import { useOwnerLabel } from '../../kit/fleet/owners';
import { useIsAdmin } from '../../kit/fleet/users';
import { actionsColumn, type Column } from '../../kit/list/data-table';
import { DataTable } from '../../kit/list/DataTable';
import { IconButton } from '../../ui/IconButton';
import { plural } from '../../ui/plural';
import table from '../../kit/list/list.module.css';
import styles from './groups.module.css';

type GroupActions = Record<'share' | 'publish' | 'maintain' | 'give' | 'edit' | 'remove', (group: Group) => void>;
type Fold = { isClosed: (id: string) => boolean; toggle: (id: string) => void };

type CountProps = { to: '/sites' | '/servers'; group: Group; count: number };

/** Links the count to the filtered list, except a count of zero. */
function Count({ to, group, count }: CountProps) {
  const text = to === '/sites' ? plural(count, 'site', 'sites') : plural(count, 'serveur', 'serveurs');
  if (count === 0) return <span className={styles['none']}>{text}</span>;
  return (
    <Link to={to} search={{ group: group.id }} className={styles['count'] ?? ''}>
      {text}
    </Link>
  );
}

const SitesCount = ({ group }: { group: Group }) => <Count to="/sites" group={group} count={group.sitesCount} />;
const ServersCount = ({ group }: { group: Group }) => <Count to="/servers" group={group} count={group.serversCount} />;

function Name({ node: { group, depth, children }, fold }: { node: Node<Group>; fold: Fold }) {
  const isClosed = fold.isClosed(group.id);
  const ownerName = useOwnerLabel(group);
  return (
    <div className={styles['name']} style={{ paddingLeft: `calc(${depth} * var(--indent))` }}>
      {children.length > 0 ? (
        <button
          type="button"
          aria-expanded={!isClosed}
          aria-label={`Sous-groupes de ${group.name}`}
          className={styles['fold']}
          onClick={() => fold.toggle(group.id)}
        >
          <ChevronRight size={16} aria-hidden />
        </button>
      ) : (
        <span className={styles['leaf']} />
      )}
      <Row gap="0 4px" miw={0}>
        <span className={styles['text']}>{group.name}</span>
        {ownerName !== undefined && <span className={table['more']}>{ownerName}</span>}
      </Row>
    </div>
  );
}

const ActionButtons = ({ group, actions }: { group: Group; actions: GroupActions }) => {
  const mayGive = useIsAdmin();
  return (
    <Row gap={0} wrap="nowrap" justify="flex-end" flex="none" ml="auto">
      {allows(group, createGrant) && (
        <IconButton isAtEdge icon={Share2} label={`Partager ${group.name}`} onClick={() => actions.share(group)} />
      )}
      {allows(group, saveStatusPage) && (
        <IconButton
          isAtEdge
          icon={Globe}
          label={`Page publique ${withDe(group.name)}`}
          onClick={() => actions.publish(group)}
        />
      )}
      {allows(group, createMaintenanceWindow) && (
        <IconButton
          isAtEdge
          icon={Wrench}
          label={`Maintenance ${withDe(group.name)}`}
          onClick={() => actions.maintain(group)}
        />
      )}
      {mayGive && allows(group, changeOwner) && (
        <IconButton isAtEdge icon={UserRoundPen} label={`Confier ${group.name}`} onClick={() => actions.give(group)} />
      )}
      {allows(group, editGroup) && (
        <IconButton isAtEdge icon={Pencil} label={`Modifier ${group.name}`} onClick={() => actions.edit(group)} />
      )}
      {allows(group, deleteGroup) && (
        <IconButton isAtEdge icon={Trash2} label={`Supprimer ${group.name}`} onClick={() => actions.remove(group)} />
      )}
    </Row>
  );
};

type Props = { lines: readonly Node<Group>[]; names: ReadonlyMap<string, string>; actions: GroupActions; fold: Fold };

const columnsOf = ({ names, actions, fold }: Props): Column<Node<Group>>[] => [
  { id: 'name', label: 'Nom', width: '30%', isRowHeader: true, render: (node) => <Name node={node} fold={fold} /> },
  { id: 'description', label: 'Description', isMuted: true, render: ({ group }) => group.description ?? '—' },
  {
    id: 'parent',
    label: 'Groupe parent',
    width: '18%',
    isMuted: true,
    render: ({ group }) => names.get(group.parent_id ?? '') ?? '—',
  },
  { id: 'sites', label: 'Sites', width: 104, render: ({ group }) => <SitesCount group={group} /> },
  { id: 'servers', label: 'Serveurs', width: 104, render: ({ group }) => <ServersCount group={group} /> },
  {
    ...actionsColumn,
    width: 'calc(5 * var(--control-height) + 16px)',
    render: ({ group }) => <ActionButtons group={group} actions={actions} />,
  },
];

/** Lists the groups as a tree. */
export function GroupsTable(props: Props) {
  const { lines, actions, fold } = props;
  return (
    <DataTable
      className={styles['table']}
      rows={lines}
      rowId={({ group }) => group.id}
      columns={columnsOf(props)}
      renderCard={(node) => (
        <div className={styles['card']}>
          <Row gap={8} justify="space-between">
            <Name node={node} fold={fold} />
            <ActionButtons group={node.group} actions={actions} />
          </Row>
          {node.group.description !== null && (
            <Text variant="note" px={8}>
              {node.group.description}
            </Text>
          )}
          <Row component="p" gap={24} pl={8} className={styles['counts'] ?? ''}>
            <SitesCount group={node.group} />
            <ServersCount group={node.group} />
          </Row>
        </div>
      )}
    />
  );
}

import { Link } from '@tanstack/react-router';
import type { Group } from '@vigie/contracts/groups';
import { ChevronRight, Pencil, Trash2 } from 'lucide-react';
import { useOwnerLabel } from '../../kit/fleet/users';
import { IconButton } from '../../ui/IconButton';
import { plural } from '../../ui/plural';
import { actionsColumn, Table } from '../../kit/list/Table';
import { useFocusHandOver } from '../../ui/useFocusHandOver';
import { useProgressiveList } from '../../kit/list/useProgressiveList';
import { useNarrow } from '../../ui/useNarrow';
import styles from './GroupsTable.module.css';
import type { Node } from '../../kit/fleet/groups-tree';

type GroupActions = { edit: (group: Group) => void; remove: (group: Group) => void };
type Fold = { isClosed: (id: string) => boolean; toggle: (id: string) => void };
type RowProps = { node: Node<Group>; parent: string | undefined; actions: GroupActions; fold: Fold };

/** Links the count to the filtered list, except a count of zero. */
function Count({ to, group, count }: { to: '/sites' | '/servers'; group: Group; count: number }) {
  const [one, many] = to === '/sites' ? ['site', 'sites'] : ['serveur', 'serveurs'];
  if (count === 0) return <span className={styles['none']}>{plural(0, one ?? '', many ?? '')}</span>;
  return (
    <Link to={to} search={{ group: group.id }} className={styles['count'] ?? ''}>
      {plural(count, one ?? '', many ?? '')}
    </Link>
  );
}

function Name({ node: { group, depth, children }, fold }: Pick<RowProps, 'node' | 'fold'>) {
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
      <span className={styles['text']}>{group.name}</span>
      {ownerName !== undefined && <span className={styles['owner']}>{ownerName}</span>}
    </div>
  );
}

const ActionButtons = ({ group, actions }: { group: Group; actions: GroupActions }) => (
  <div className={styles['actions']}>
    <IconButton isAtEdge icon={Pencil} label={`Modifier ${group.name}`} onClick={() => actions.edit(group)} />
    <IconButton isAtEdge icon={Trash2} label={`Supprimer ${group.name}`} onClick={() => actions.remove(group)} />
  </div>
);

function Row({ node, parent, actions, fold }: RowProps) {
  const { group } = node;
  const line = useFocusHandOver<HTMLTableRowElement>();
  return (
    <tr ref={line}>
      <th scope="row">
        <Name node={node} fold={fold} />
      </th>
      <td className={styles['description']}>{group.description ?? '—'}</td>
      <td className={styles['parent']}>{parent ?? '—'}</td>
      <td>
        <Count to="/sites" group={group} count={group.sitesCount} />
      </td>
      <td>
        <Count to="/servers" group={group} count={group.serversCount} />
      </td>
      <td>
        <ActionButtons group={group} actions={actions} />
      </td>
    </tr>
  );
}

function Card({ node, actions, fold }: Omit<RowProps, 'parent'>) {
  const { group } = node;
  const card = useFocusHandOver<HTMLLIElement>();
  return (
    <li ref={card} className={styles['card']}>
      <div className={styles['cardHead']}>
        <Name node={node} fold={fold} />
        <ActionButtons group={group} actions={actions} />
      </div>
      {group.description !== null && <p className={styles['cardText']}>{group.description}</p>}
      <p className={styles['cardCounts']}>
        <Count to="/sites" group={group} count={group.sitesCount} />
        <Count to="/servers" group={group} count={group.serversCount} />
      </p>
    </li>
  );
}

const columns = [
  { column: 'name', label: 'Nom' },
  { label: 'Description' },
  { column: 'parent', label: 'Groupe parent' },
  { column: 'count', label: 'Sites' },
  { column: 'count', label: 'Serveurs' },
  actionsColumn,
];

type Props = { lines: readonly Node<Group>[]; names: ReadonlyMap<string, string>; actions: GroupActions; fold: Fold };

/** Lists the groups as a tree, as cards on a phone. */
export function GroupsTable({ lines: allLines, names, actions, fold }: Props) {
  const lines = useProgressiveList(allLines);
  const isNarrow = useNarrow();
  if (isNarrow) {
    return (
      <ul>
        {lines.map((node) => (
          <Card key={node.group.id} node={node} actions={actions} fold={fold} />
        ))}
      </ul>
    );
  }
  return (
    <Table className={styles['table']} columns={columns}>
      <tbody>
        {lines.map((node) => (
          <Row
            key={node.group.id}
            node={node}
            parent={names.get(node.group.parent_id ?? '')}
            actions={actions}
            fold={fold}
          />
        ))}
      </tbody>
    </Table>
  );
}

import { Link } from '@tanstack/react-router';
import type { Group } from '@vigie/contracts/groups';
import { ChevronRight, Pencil, Trash2 } from 'lucide-react';
import { useWhose } from '../../app/owners';
import { IconButton } from '../../ui/IconButton';
import { plural } from '../../ui/plural';
import { actionsColumn, Table } from '../../ui/Table';
import { useFocusHandOver } from '../../ui/useFocusHandOver';
import { useInTurn } from '../../ui/useInTurn';
import { useNarrow } from '../../ui/useNarrow';
import styles from './GroupsTable.module.css';
import type { Node } from './tree';

type Deeds = { edit: (group: Group) => void; remove: (group: Group) => void };
type Fold = { isClosed: (id: string) => boolean; toggle: (id: string) => void };
type RowProps = { node: Node<Group>; parent: string | undefined; deeds: Deeds; fold: Fold };

/** Sites or servers of a group, where they are listed; none leads nowhere. */
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
  const whose = useWhose(group);
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
      {whose !== undefined && <span className={styles['owner']}>{whose}</span>}
    </div>
  );
}

const Actions = ({ group, deeds }: { group: Group; deeds: Deeds }) => (
  <div className={styles['actions']}>
    <IconButton isAtEdge icon={Pencil} label={`Modifier ${group.name}`} onClick={() => deeds.edit(group)} />
    <IconButton isAtEdge icon={Trash2} label={`Supprimer ${group.name}`} onClick={() => deeds.remove(group)} />
  </div>
);

function Row({ node, parent, deeds, fold }: RowProps) {
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
        <Actions group={group} deeds={deeds} />
      </td>
    </tr>
  );
}

function Card({ node, deeds, fold }: Omit<RowProps, 'parent'>) {
  const { group } = node;
  const card = useFocusHandOver<HTMLLIElement>();
  return (
    <li ref={card} className={styles['card']}>
      <div className={styles['cardHead']}>
        <Name node={node} fold={fold} />
        <Actions group={group} deeds={deeds} />
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

type Props = { lines: readonly Node<Group>[]; names: ReadonlyMap<string, string>; deeds: Deeds; fold: Fold };

/** The groups as the tree that they are; on a phone each is a card. */
export function GroupsTable({ lines: all, names, deeds, fold }: Props) {
  const lines = useInTurn(all);
  const isNarrow = useNarrow();
  if (isNarrow) {
    return (
      <ul>
        {lines.map((node) => (
          <Card key={node.group.id} node={node} deeds={deeds} fold={fold} />
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
            deeds={deeds}
            fold={fold}
          />
        ))}
      </tbody>
    </Table>
  );
}

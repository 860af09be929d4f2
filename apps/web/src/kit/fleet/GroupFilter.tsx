import { SelectField } from '../../ui/SelectField';
import { useGroups } from './groups';

type Props = { value: string | undefined; onChange: (groupId: string | undefined) => void; className?: string };

/** Chooses a group with its subgroups. A native list can only indent with em spaces. */
export function GroupFilter({ value, onChange, className = '' }: Props) {
  const { lines, isLoading } = useGroups();
  const isListed = lines.some(({ group }) => group.id === value);
  const data = [
    { value: '', label: 'Tous les groupes' },
    ...lines.map(({ group: { id, name }, depth }) => ({ value: id, label: `${'\u2003'.repeat(depth)}${name}` })),
    ...(value !== undefined && !isListed ? [{ value, label: isLoading ? '…' : 'Groupe inconnu' }] : []),
  ];
  return (
    <SelectField
      aria-label="Filtrer par groupe"
      className={className}
      data={data}
      value={value ?? ''}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
    />
  );
}

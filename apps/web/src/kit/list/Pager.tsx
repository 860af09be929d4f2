import { Group, Pagination } from '@mantine/core';
import '@mantine/core/styles/Group.layer.css';
import '@mantine/core/styles/Pagination.layer.css';
import { formatNumber } from '../../ui/plural';

type Props = { page: number; size: number; total: number; onChange: (page: number) => void };

const names = { previous: 'Précédente', next: 'Suivante' };

/** Not rendered when the list fits on one page. */
export function Pager({ page, size, total, onChange }: Props) {
  const pages = Math.ceil(total / size);
  if (pages <= 1) return null;
  return (
    <Group component="nav" aria-label="Pages" justify="flex-end" gap={8} px={16} py={8} fz={13} c="var(--muted)">
      <p>{`${formatNumber((page - 1) * size + 1)}–${formatNumber(Math.min(page * size, total))} sur ${formatNumber(total)}`}</p>
      <Pagination
        total={pages}
        value={page}
        siblings={1}
        getItemProps={(number) => ({ 'aria-label': `Page ${number}` })}
        getControlProps={(control) => ({
          'aria-label': control in names ? names[control as keyof typeof names] : control,
        })}
        onChange={onChange}
      />
    </Group>
  );
}

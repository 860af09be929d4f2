import { Group, Pagination } from '@mantine/core';
import '@mantine/core/styles/Pagination.layer.css';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { formatNumber } from '../../ui/plural';

type Props = {
  page: number;
  size: number;
  total: number;
  /** A dialog has another name than the list behind it, because both are landmarks. */
  label?: string;
  onChange: (page: number) => void;
};

const Previous = () => (
  <>
    <ChevronLeft size={16} aria-hidden />
    Précédente
  </>
);
const Next = () => (
  <>
    Suivante
    <ChevronRight size={16} aria-hidden />
  </>
);

/** Not rendered when the list fits on one page. The numbers of the pages are shown where there is room for them. */
export function Pager({ page, size, total, label = 'Pages', onChange }: Props) {
  const pages = Math.ceil(total / size);
  if (pages <= 1) return null;
  return (
    <Group
      component="nav"
      aria-label={label}
      style={{ borderTop: '1px solid var(--border)' }}
      gap={8}
      px={16}
      py={8}
      fz={13}
      c="muted"
    >
      <p>{`${formatNumber((page - 1) * size + 1)}–${formatNumber(Math.min(page * size, total))} sur ${formatNumber(total)}`}</p>
      <Pagination
        flex="1 1 240px"
        layout="responsive"
        formatLabel={() => ''}
        total={pages}
        value={page}
        previousIcon={Previous}
        nextIcon={Next}
        getItemProps={(number) => ({ 'aria-label': `Page ${number}` })}
        getControlProps={() => ({ withPadding: true })}
        onChange={onChange}
      />
    </Group>
  );
}

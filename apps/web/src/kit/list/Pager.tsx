import { Button } from '@mantine/core';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { formatNumber } from '../../ui/plural';
import styles from './Pager.module.css';

type Props = { page: number; size: number; total: number; onChange: (page: number) => void };

/** Not rendered when the list fits on one page. */
export function Pager({ page, size, total, onChange }: Props) {
  const last = Math.ceil(total / size);
  if (last <= 1) return null;
  return (
    <nav aria-label="Pages" className={styles['pager']}>
      <p>{`${formatNumber((page - 1) * size + 1)}–${formatNumber(Math.min(page * size, total))} sur ${formatNumber(total)}`}</p>
      <Button
        variant="default"
        disabled={page <= 1}
        leftSection={<ChevronLeft size={16} aria-hidden />}
        onClick={() => onChange(page - 1)}
      >
        Précédente
      </Button>
      <Button
        variant="default"
        disabled={page >= last}
        rightSection={<ChevronRight size={16} aria-hidden />}
        onClick={() => onChange(page + 1)}
      >
        Suivante
      </Button>
    </nav>
  );
}

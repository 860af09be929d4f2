import { Button } from '@mantine/core';
import { PlugZap, X } from 'lucide-react';
import { useRef } from 'react';
import { IconButton } from './IconButton';
import { useEscape } from './useEscape';
import styles from './SelectionBar.module.css';

type Props = { count: string; isBusy: boolean; onTest: () => void; onClear: () => void };

/** What can be done with the chosen rows, in sight however far the list is scrolled. */
export function SelectionBar({ count, isBusy, onTest, onClear }: Props) {
  const bar = useRef<HTMLDivElement>(null);
  useEscape(bar, onClear);
  return (
    <div ref={bar} role="toolbar" aria-label="Sélection" className={styles['bar']}>
      <output>{count}</output>
      <Button loading={isBusy} leftSection={<PlugZap size={16} aria-hidden />} onClick={onTest}>
        Tester
      </Button>
      <IconButton icon={X} label="Tout désélectionner" onClick={onClear} />
    </div>
  );
}

import { Button } from '@mantine/core';
import { PlugZap, X } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { IconButton } from '../../ui/IconButton';
import { useEscape } from '../../ui/useEscape';
import styles from './SelectionBar.module.css';

type Props = {
  count: string;
  tests?: { isBusy: boolean; run: () => void };
  onClear: () => void;
  /** Other actions. */
  children?: ReactNode;
};

/** The actions on the selected rows, which stay visible while the list scrolls. */
export function SelectionBar({ count, tests, onClear, children }: Props) {
  const bar = useRef<HTMLDivElement>(null);
  useEscape(bar, onClear);
  return (
    <div ref={bar} role="toolbar" aria-label="Sélection" className={styles['bar']}>
      <output>{count}</output>
      {tests && (
        <Button
          variant={children ? 'default' : 'filled'}
          loading={tests.isBusy}
          leftSection={<PlugZap size={16} aria-hidden />}
          onClick={tests.run}
        >
          Tester
        </Button>
      )}
      {children}
      <IconButton icon={X} label="Tout désélectionner" onClick={onClear} />
    </div>
  );
}

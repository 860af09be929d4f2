import { Button } from '@mantine/core';
import { PlugZap, X } from 'lucide-react';
import { useRef } from 'react';
import { IconButton } from '../../ui/IconButton';
import { plural } from '../../ui/plural';
import { useEscape } from '../../ui/useEscape';
import styles from './SelectionBar.module.css';

type Props = { count: number; isBusy: boolean; onTest: () => void; onClear: () => void };

/** What can be done with the chosen servers, in sight however far the list is scrolled. */
export function SelectionBar({ count, isBusy, onTest, onClear }: Props) {
  const bar = useRef<HTMLDivElement>(null);
  useEscape(bar, onClear);
  return (
    <div ref={bar} role="toolbar" aria-label="Sélection" className={styles['bar']}>
      <output>{plural(count, 'serveur sélectionné', 'serveurs sélectionnés')}</output>
      <Button loading={isBusy} leftSection={<PlugZap size={16} aria-hidden />} onClick={onTest}>
        Tester
      </Button>
      <IconButton icon={X} label="Tout désélectionner" onClick={onClear} />
    </div>
  );
}

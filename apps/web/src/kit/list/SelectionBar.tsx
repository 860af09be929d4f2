import { Group } from '@mantine/core';
import { X } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { Card } from '../../ui/Card';
import { IconButton } from '../../ui/IconButton';
import { useEscape } from '../../ui/useEscape';
import styles from './list.module.css';
import type { Selection } from './useSelection';

type Props = {
  selection: Selection;
  count: string;
  /** The actions on the selected rows. */
  children: ReactNode;
};

function Bar({ selection: { chooseAll }, count, children }: Props) {
  const bar = useRef<HTMLDivElement>(null);
  const clear = () => chooseAll(false);
  useEscape(bar, clear);
  return (
    <Card className={styles['bar'] ?? ''}>
      <Group ref={bar} role="toolbar" aria-label="Sélection" justify="center" gap="8px 12px">
        <output>{count}</output>
        {children}
        <IconButton icon={X} label="Tout désélectionner" onClick={clear} />
      </Group>
    </Card>
  );
}

/** The actions on the selected rows, which stay visible while the list scrolls. */
export const SelectionBar = (props: Props) => props.selection.ids.length > 0 && <Bar {...props} />;

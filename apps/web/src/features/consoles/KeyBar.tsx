import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSignal } from '../../ui/signal';
import type { ConsoleSession } from './ConsoleSession';
import styles from './consoles.module.css';

type Key = Parameters<ConsoleSession['press']>[0];

const keys: readonly { key: Key; label: string; face: ReactNode }[] = [
  { key: 'escape', label: 'Échap', face: 'Échap' },
  { key: 'ctrl', label: 'Ctrl', face: 'Ctrl' },
  { key: 'tab', label: 'Tab', face: 'Tab' },
  { key: 'left', label: 'Flèche gauche', face: <ArrowLeft size={18} aria-hidden /> },
  { key: 'up', label: 'Flèche haut', face: <ArrowUp size={18} aria-hidden /> },
  { key: 'down', label: 'Flèche bas', face: <ArrowDown size={18} aria-hidden /> },
  { key: 'right', label: 'Flèche droite', face: <ArrowRight size={18} aria-hidden /> },
  { key: '|', label: 'Barre verticale', face: '|' },
  { key: '~', label: 'Tilde', face: '~' },
  { key: '/', label: 'Barre oblique', face: '/' },
];

/** Keys that phone keyboards lack. The terminal keeps the focus, so that the phone's keyboard stays open. */
export function KeyBar({ tab }: { tab: ConsoleSession }) {
  const { isCtrl } = useSignal(tab.view);
  return (
    <div role="toolbar" aria-label="Touches du terminal" className={styles['keys']}>
      {keys.map(({ key, label, face }) => (
        <button
          key={key}
          type="button"
          aria-label={label}
          aria-pressed={key === 'ctrl' ? isCtrl : undefined}
          className={styles['keyCap']}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => tab.press(key)}
        >
          {face}
        </button>
      ))}
    </div>
  );
}

import { useEffect, useState } from 'react';
import { spellWait } from '../../ui/dates';
import styles from './forms.module.css';

/** Outside of the alert, and silent: a voice must not count the seconds. */
export function Wait({ seconds }: { seconds: number }) {
  const [end] = useState(() => Date.now() + seconds * 1000);
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const timer = setInterval(() => setLeft(Math.max(0, Math.ceil((end - Date.now()) / 1000))), 500);
    return () => clearInterval(timer);
  }, [end]);
  return (
    <p className={styles['wait']} role="timer" aria-live="off">
      {left > 0 ? `Nouvel essai possible dans ${spellWait(left)}.` : 'Vous pouvez réessayer.'}
    </p>
  );
}

import { VisuallyHidden } from './VisuallyHidden';
import styles from './Skeleton.module.css';

/** Placeholder rows, which appear only after a short delay. What stands below may wait for `data-loading` to go. */
export function Skeleton({ rows = 4, height = 44 }: { rows?: number; height?: number }) {
  return (
    <div className={styles['skeleton']} data-loading>
      <output>
        <VisuallyHidden>Chargement…</VisuallyHidden>
      </output>
      <div aria-hidden>
        {Array.from({ length: rows }, (_, row) => (
          <div key={row} className={styles['row']} style={{ height }}>
            <span />
            <span />
            <span />
          </div>
        ))}
      </div>
    </div>
  );
}

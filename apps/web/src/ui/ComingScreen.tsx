import type { LucideIcon } from 'lucide-react';
import { Blueprint, type BlueprintKind } from './Blueprint';
import styles from './ComingScreen.module.css';

type Props = { title: string; purpose: string; icon: LucideIcon; blueprint: BlueprintKind; note?: string };

/** A screen that a later release fills: it says what will live here, and pretends nothing. */
export function ComingScreen({ title, purpose, icon: Icon, blueprint, note }: Props) {
  return (
    <>
      <h1>{title}</h1>
      {note !== undefined && <p className={styles['note']}>{note}</p>}
      <section className={styles['card']} aria-label="À venir">
        <Blueprint kind={blueprint} />
        <div className={styles['text']}>
          <span className={styles['icon']}>
            <Icon size={20} strokeWidth={1.5} aria-hidden />
          </span>
          <p className={styles['purpose']}>{purpose}</p>
          <p className={styles['when']}>Cet écran arrive avec une prochaine version.</p>
        </div>
      </section>
    </>
  );
}

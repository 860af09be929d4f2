import type { LucideIcon } from 'lucide-react';
import { useId } from 'react';
import styles from './Choices.module.css';

type Props<V extends string> = {
  legend: string;
  choices: readonly { value: V; label: string; icon: LucideIcon }[];
  value: V;
  onChange: (value: V) => void;
};

/** Radio buttons as a row of segments. */
export function Choices<V extends string>({ legend, choices, value, onChange }: Props<V>) {
  const name = useId();
  return (
    <fieldset className={styles['choices']}>
      <legend>{legend}</legend>
      <div className={styles['row']}>
        {choices.map(({ value: choice, label, icon: Icon }) => (
          <label key={choice} className={styles['choice']}>
            <input
              type="radio"
              name={name}
              value={choice}
              checked={choice === value}
              onChange={() => onChange(choice)}
            />
            <Icon size={16} strokeWidth={1.75} aria-hidden />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

import { Monitor, Moon, Sun } from 'lucide-react';
import { useId } from 'react';
import { chooseTheme, useTheme } from './theme';
import styles from './ThemeChoices.module.css';

const choices = [
  { value: 'light', label: 'Clair', icon: Sun },
  { value: 'dark', label: 'Sombre', icon: Moon },
  { value: 'system', label: 'Système', icon: Monitor },
] as const;

export function ThemeChoices() {
  const { choice } = useTheme();
  const name = useId();
  return (
    <fieldset className={styles['choices']}>
      <legend>Thème</legend>
      <div className={styles['row']}>
        {choices.map(({ value, label, icon: Icon }) => (
          <label key={value} className={styles['choice']}>
            <input
              type="radio"
              name={name}
              value={value}
              checked={choice === value}
              onChange={() => chooseTheme(value)}
            />
            <Icon size={16} strokeWidth={1.75} aria-hidden />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

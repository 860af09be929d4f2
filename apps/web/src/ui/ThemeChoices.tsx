import { Monitor, Moon, Sun } from 'lucide-react';
import { Choices } from './Choices';
import { chooseTheme, useTheme } from './theme';

const choices = [
  { value: 'light', label: 'Clair', icon: Sun },
  { value: 'dark', label: 'Sombre', icon: Moon },
  { value: 'system', label: 'Système', icon: Monitor },
] as const;

export function ThemeChoices() {
  const { choice } = useTheme();
  return <Choices legend="Thème" choices={choices} value={choice} onChange={chooseTheme} />;
}

import { createSignal, useSignal } from './signal';
import { readLocal, writeLocal } from './storage';

export type ThemeChoice = 'light' | 'dark' | 'system';
export type Theme = { choice: ThemeChoice; resolved: 'light' | 'dark' };

const systemIsDark = window.matchMedia('(prefers-color-scheme: dark)');

function readTheme(): Theme {
  const stored = readLocal('theme');
  if (stored === 'light' || stored === 'dark') return { choice: stored, resolved: stored };
  return { choice: 'system', resolved: systemIsDark.matches ? 'dark' : 'light' };
}

const theme = createSignal(readTheme());

function applyTheme(): void {
  const next = readTheme();
  document.documentElement.classList.toggle('dark', next.resolved === 'dark');
  document.documentElement.dataset.mantineColorScheme = next.resolved;
  theme.set(next);
}

// The system or another tab changed the theme.
systemIsDark.addEventListener('change', applyTheme);
window.addEventListener('storage', (event) => {
  if (event.key === 'theme' || event.key === null) applyTheme();
});

export function chooseTheme(choice: ThemeChoice): void {
  writeLocal('theme', choice === 'system' ? null : choice);
  applyTheme();
}

export const toggleTheme = (): void => chooseTheme(theme.get().resolved === 'dark' ? 'light' : 'dark');

export const useTheme = (): Theme => useSignal(theme);

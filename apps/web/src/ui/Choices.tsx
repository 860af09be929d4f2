import { Box, Fieldset, Group, SegmentedControl } from '@mantine/core';
import '@mantine/core/styles/Fieldset.layer.css';
import '@mantine/core/styles/FloatingIndicator.layer.css';
import '@mantine/core/styles/SegmentedControl.layer.css';
import { type LucideIcon, Monitor, Moon, Sun } from 'lucide-react';
import { chooseTheme, useTheme } from './theme';
import { useNarrow } from './useNarrow';

type SegmentsProps<V extends string> = {
  label: string;
  /** `count` says how many things there are to see. */
  choices: readonly { value: V; label: string; count?: string | undefined }[];
  value: V;
  onChange: (value: V) => void;
};

/** One choice of a few short ones, in a toolbar. */
export const Segments = <V extends string>({ label, choices, ...props }: SegmentsProps<V>) => (
  <SegmentedControl
    aria-label={label}
    data={choices.map(({ value, label: word, count = '' }) => ({
      value,
      label: (
        <>
          {word}
          {count !== '' && (
            <Box component="span" c="subtle">
              {` ${count}`}
            </Box>
          )}
        </>
      ),
    }))}
    {...props}
  />
);

type Props<V extends string> = {
  legend: string;
  choices: readonly { value: V; label: string; icon: LucideIcon }[];
  value: V;
  onChange: (value: V) => void;
};

/** One choice of a few, all of them in sight. */
export function Choices<V extends string>({ legend, choices, value, onChange }: Props<V>) {
  const isNarrow = useNarrow(480);
  return (
    <Fieldset variant="unstyled" legend={legend}>
      <SegmentedControl
        fullWidth
        aria-label={legend}
        orientation={isNarrow ? 'vertical' : 'horizontal'}
        data={choices.map(({ value: choice, label, icon: Icon }) => ({
          value: choice,
          label: (
            <Group component="span" gap={8} wrap="nowrap">
              <Icon size={16} strokeWidth={1.75} aria-hidden />
              {label}
            </Group>
          ),
        }))}
        value={value}
        onChange={onChange}
      />
    </Fieldset>
  );
}

const themes = [
  { value: 'light', label: 'Clair', icon: Sun },
  { value: 'dark', label: 'Sombre', icon: Moon },
  { value: 'system', label: 'Système', icon: Monitor },
] as const;

export function ThemeChoices() {
  const { choice } = useTheme();
  return <Choices legend="Thème" choices={themes} value={choice} onChange={chooseTheme} />;
}

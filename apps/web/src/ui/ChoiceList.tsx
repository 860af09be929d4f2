import { Box, Checkbox, Text } from '@mantine/core';
import { plural } from './plural';
import styles from './ChoiceList.module.css';

type Choice = { id: string; label: string; depth?: number };

type Search = { label: string; value: string; onChange: (query: string) => void };

type Props = {
  choices: readonly Choice[];
  value: readonly string[];
  onChange: (ids: string[]) => void;
  /** Absent for a list that is short. */
  search?: Search | undefined;
  /** Said in place of the choices where there is none. */
  none: string;
};

/** Any number of choices, in a framed list that scrolls. Choices that the search hides stay chosen. */
export function ChoiceList({ choices, value, onChange, search, none }: Props) {
  const toggle = (id: string, isOn: boolean) => onChange(isOn ? [...value, id] : value.filter((other) => other !== id));
  return (
    <div className={styles['box']}>
      {search && <ChoiceSearch {...search} />}
      <Box mah={168} py={4} style={{ overflowY: 'auto' }}>
        {choices.map(({ id, label, depth = 0 }) => (
          <Checkbox
            key={id}
            label={label}
            className={styles['choice'] ?? ''}
            w="auto"
            pr={10}
            pl={10 + depth * 20}
            checked={value.includes(id)}
            onChange={(event) => toggle(id, event.currentTarget.checked)}
          />
        ))}
        {choices.length === 0 && (
          <Text p="6px 10px" c="muted">
            {none}
          </Text>
        )}
      </Box>
    </div>
  );
}

const ChoiceSearch = ({ label, value, onChange }: Search) => (
  <input
    type="search"
    aria-label={label}
    placeholder={label}
    autoComplete="off"
    spellCheck={false}
    className={styles['search']}
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
    onKeyDown={(event) => {
      if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) event.preventDefault();
    }}
  />
);

/** The legend of a fieldset of choices, with how many are chosen. */
export const ChoiceLegend = ({ children, count }: { children: string; count: number }) => (
  <Text component="legend" mb={4} fw={500}>
    {children}
    {count > 0 && (
      <Text span ml={8} c="muted" fz={13} fw={400}>
        {plural(count, 'choisi', 'choisis')}
      </Text>
    )}
  </Text>
);

import { Button, Group, Stack, Text } from '@mantine/core';
import { parseSiteQuery, siteTokenKeys, siteTokenKinds, withoutToken, writeToken } from '@vigie/contracts/site-search';
import { CircleHelp, X } from 'lucide-react';
import { Dropdown } from '../../ui/Dropdown';
import { SelectField } from '../../ui/SelectField';
import styles from './sites.module.css';

type Props = { q: string; onChange: (q: string) => void };

/** The kinds of search tokens, with examples to type. */
const tokenKinds = siteTokenKeys.map((key) => ({
  description: siteTokenKinds[key].description,
  examples: siteTokenKinds[key].examples.map((value) => writeToken(key, value)),
}));

/** Explains the search tokens, and adds one to the search. */
export function TokenHelp({ q, onChange }: Props) {
  return (
    <Dropdown label="Filtres de recherche" icon={CircleHelp} isBrief>
      {(close) => (
        <Stack gap={12} p={8} fz={13} lh="18px">
          <p>
            Tapez ces filtres dans la recherche, un ou plusieurs à la fois. Mettez entre guillemets un nom qui contient
            des espaces.
          </p>
          <SelectField
            label="Ajouter un filtre"
            data={[
              { value: '', label: 'Choisir…' },
              ...tokenKinds.map(({ description, examples }) => ({ group: description, items: [...examples] })),
            ]}
            value=""
            onChange={({ currentTarget: { value } }) => {
              onChange(`${q} ${value}`.trim());
              close();
            }}
          />
          <Stack component="dl" gap={6}>
            {tokenKinds.map(({ description, examples }) => (
              <Group key={description} justify="space-between" gap="2px 12px">
                <dt>{description}</dt>
                <Group component="dd" gap={6}>
                  {examples.map((example) => (
                    <code key={example} className={styles['example']}>
                      {example}
                    </code>
                  ))}
                </Group>
              </Group>
            ))}
          </Stack>
        </Stack>
      )}
    </Dropdown>
  );
}

/** Lists the tokens of a search, and says why a search is invalid. */
export function SearchTokens({ q, onChange }: Props) {
  const { tokens, problem } = parseSiteQuery(q);
  if (tokens.length === 0 && problem === undefined) return null;
  return (
    <Group gap="8px 12px" flex="0 1 100%">
      {tokens.length > 0 && (
        <Group component="ul" gap={8} aria-label="Filtres de la recherche">
          {tokens.map((token, index) => (
            <li key={`${index} ${token.written}`}>
              <Button
                variant="default"
                size="compact-sm"
                maw={320}
                aria-label={`Retirer le filtre ${token.written}`}
                title={siteTokenKinds[token.key].description}
                rightSection={<X size={14} aria-hidden />}
                onClick={() => onChange(withoutToken(q, token))}
              >
                {token.written}
              </Button>
            </li>
          ))}
        </Group>
      )}
      <Text component="output" fz={13} c="danger">
        {problem}
      </Text>
    </Group>
  );
}

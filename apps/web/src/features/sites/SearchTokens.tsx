import { Button, Group, Stack, Text } from '@mantine/core';
import {
  type NamedTokenKey,
  type ParsedToken,
  parseSiteQuery,
  replaceToken,
  siteTokenKeys,
  siteTokenKinds,
  withoutToken,
  writeToken,
} from '@vigie/contracts/site-search';
import { CircleHelp, X } from 'lucide-react';
import { Dropdown } from '../../ui/Dropdown';
import links from '../../ui/links.module.css';
import { SelectField } from '../../ui/SelectField';
import { sitesApi } from './sites.api';
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
    <Dropdown label="Filtres de recherche" icon={CircleHelp} isIcon>
      {(close) => (
        <Stack gap={12} p={8} fz={13} lh="18px">
          <p>
            Tapez ces filtres dans la recherche, un ou plusieurs à la fois. Une partie d’un nom suffit ; mettez entre
            guillemets un nom qui contient des espaces.
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

type HintProps = Props & {
  sentence: string;
  /** What there is instead. */
  label: string;
  choices: readonly { name: string; q: string }[];
};

/** Says what a search did not understand, and offers what there is instead. */
const Hint = ({ sentence, label, choices, onChange }: Omit<HintProps, 'q'>) => (
  <Group gap="0 8px" fz={13}>
    <Text component="output" c="warn">
      {sentence}
    </Text>
    {choices.length > 0 && <span>{`${label}\u00a0:`}</span>}
    {choices.map(({ name, q }) => (
      <button key={name} type="button" className={links['inline']} onClick={() => onChange(q)}>
        {name}
      </button>
    ))}
  </Group>
);

const nothingFound: Readonly<Record<NamedTokenKey, readonly [sentence: string, label: string]>> = {
  groupe: ['Aucun groupe ne contient', 'Groupes'],
  serveur: ['Aucun serveur ne contient', 'Serveurs'],
  plugin: ['Aucun plugin ne contient', 'Plugins'],
};

/** The hints are requested only for a search that finds nothing. */
function NameHints({ q, onChange }: Props) {
  const { currentData } = sitesApi.useSiteSearchHintsQuery({ q });
  const { tokens } = parseSiteQuery(q);
  return currentData?.hints.map(({ key, value, choices }) => {
    const token = tokens.find((parsed) => parsed.key === key && 'name' in parsed && parsed.name === value);
    const [sentence, label] = nothingFound[key];
    return (
      <Hint
        key={`${key} ${value}`}
        sentence={`${sentence} «\u00a0${value}\u00a0».`}
        label={label}
        choices={token ? choices.map((name) => ({ name, q: replaceToken(q, token, writeToken(key, name)) })) : []}
        onChange={onChange}
      />
    );
  });
}

const Tokens = ({ tokens, q, onChange }: Props & { tokens: readonly ParsedToken[] }) => (
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
);

type TokensProps = Props & {
  /** The search that was answered without a single site, which may be older than the typed one. */
  emptyQuery: string | undefined;
};

/** Lists the tokens of a search, and says what of it is invalid or unknown. */
export function SearchTokens({ q, emptyQuery, onChange }: TokensProps) {
  const { tokens, unknown, problem } = parseSiteQuery(q);
  if (tokens.length + unknown.length === 0 && problem === undefined) return null;
  const isNamed = tokens.some((token) => 'name' in token);
  return (
    <Group gap="8px 12px">
      {tokens.length > 0 && <Tokens tokens={tokens} q={q} onChange={onChange} />}
      <Text component="output" fz={13} c="danger">
        {problem}
      </Text>
      {unknown.map((token) => (
        <Hint
          key={token.written}
          sentence={`Filtre inconnu «\u00a0${token.key}:\u00a0».`}
          label="Filtres"
          choices={siteTokenKeys.map((key) => ({
            name: key,
            q: replaceToken(q, token, `${key}${token.written.slice(token.key.length)}`),
          }))}
          onChange={onChange}
        />
      ))}
      {isNamed && emptyQuery === q && <NameHints q={q} onChange={onChange} />}
    </Group>
  );
}

import { Button } from '@mantine/core';
import { readSiteQuery, siteTokenKeys, siteTokenKinds, withoutToken, writeToken } from '@vigie/contracts/site-search';
import { CircleHelp, X } from 'lucide-react';
import { Dropdown } from '../../ui/Dropdown';
import { SelectField } from '../../ui/SelectField';
import styles from './SearchTokens.module.css';

type Props = { q: string; onChange: (q: string) => void };

/** Each kind, with its examples as they are typed. */
const kinds = siteTokenKeys.map((key) => ({
  what: siteTokenKinds[key].what,
  examples: siteTokenKinds[key].examples.map((value) => writeToken(key, value)),
}));

/** The words that have a meaning of their own, to be read or to be taken. */
export function TokenHelp({ q, onChange }: Props) {
  return (
    <Dropdown label="Filtres de recherche" icon={CircleHelp} isBrief>
      {(close) => (
        <div className={styles['help']}>
          <p>
            Ces mots se tapent dans la recherche, seuls ou à plusieurs&#8239;; un nom avec des espaces se met entre
            guillemets.
          </p>
          <SelectField
            label="Ajouter un filtre"
            data={[
              { value: '', label: 'Choisir…' },
              ...kinds.map(({ what, examples }) => ({ group: what, items: [...examples] })),
            ]}
            value=""
            onChange={({ currentTarget: { value } }) => {
              onChange(`${q} ${value}`.trim());
              close();
            }}
          />
          <dl>
            {kinds.map(({ what, examples }) => (
              <div key={what}>
                <dt>{what}</dt>
                <dd>
                  {examples.map((written) => (
                    <code key={written}>{written}</code>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </div>
      )}
    </Dropdown>
  );
}

/** What of a search holds as a filter, and why it cannot be answered. */
export function Tokens({ q, onChange }: Props) {
  const { tokens, problem } = readSiteQuery(q);
  if (tokens.length === 0 && problem === undefined) return null;
  return (
    <div className={styles['tokens']}>
      {tokens.length > 0 && (
        <ul aria-label="Filtres de la recherche">
          {tokens.map((token, at) => (
            <li key={`${at} ${token.written}`}>
              <Button
                variant="default"
                size="compact-sm"
                aria-label={`Retirer le filtre ${token.written}`}
                title={siteTokenKinds[token.key].what}
                rightSection={<X size={14} aria-hidden />}
                onClick={() => onChange(withoutToken(q, token))}
              >
                {token.written}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <output className={styles['problem']}>{problem}</output>
    </div>
  );
}

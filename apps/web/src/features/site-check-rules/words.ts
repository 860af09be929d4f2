import type { SiteCheckRules } from '@vigie/contracts/site-check-rules';

type Words = { tone?: 'danger' | 'ok'; sentence: string };

const words: Readonly<Record<NonNullable<SiteCheckRules['found']>, Words>> = {
  as_expected: { tone: 'ok', sentence: 'La page montre ce qui est attendu.' },
  text_missing: { tone: 'danger', sentence: 'Le texte n’est pas dans la page.' },
  other_redirect: { tone: 'danger', sentence: 'La visite ne finit pas à cette adresse.' },
};

/** What the last visit found. */
export const findingWords = ({ found }: Pick<SiteCheckRules, 'found'>): Words =>
  found === null ? { sentence: 'Pas encore vérifié, ou la page n’a pas pu être lue.' } : words[found];

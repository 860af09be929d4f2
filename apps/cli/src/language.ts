const languages = ['fr', 'en'] as const;
export type Language = (typeof languages)[number];

/** A sentence in both languages. */
export type Words = Readonly<Record<Language, string>>;

export const isLanguage = (text: string): text is Language => (languages as readonly string[]).includes(text);

/** French for `fr_FR.UTF-8` and its like, otherwise English. */
export const languageOf = (locale: string | undefined): Language =>
  /^fr(?:[^a-z]|$)/i.test(locale ?? '') ? 'fr' : 'en';

/** For what is no sentence of ours: a text of the server, a name. */
export const same = (text: string): Words => ({ fr: text, en: text });

export const yes: Readonly<Record<Language, RegExp>> = { fr: /^o(ui)?$/i, en: /^y(es)?$/i };

/** "3 sites", with the noun in the number that the language wants. */
export function count(
  n: number,
  fr: readonly [one: string, many: string],
  en: readonly [one: string, many: string],
): Words {
  return { fr: `${n}\u00a0${n < 2 ? fr[0] : fr[1]}`, en: `${n} ${n === 1 ? en[0] : en[1]}` };
}

import type { Receiver } from './receiver';

/** A shorter text protects nothing, and is part of too many words. */
const minLength = 4;

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** The texts that open the way to the receiver: its secret and each part of its address after the host. */
function secretTexts({ url, secret }: Pick<Receiver, 'url' | 'secret'>): string[] {
  const { pathname, search, searchParams } = new URL(url);
  const parts = [pathname, search.slice(1), ...pathname.split('/'), ...searchParams.values()];
  const keys = secret === null ? [] : [secret, secret.replace(/^whsec_/, ''), secret.replace(/^\d+:/, '')];
  const texts = [...keys, url, ...parts.flatMap((part) => [part, decode(part)])];
  return [...new Set(texts)].filter((text) => text.length >= minLength).toSorted((a, b) => b.length - a.length);
}

/** Receivers repeat in their answers what they were sent, also the address itself. */
export const hideTarget = (text: string, receiver: Pick<Receiver, 'url' | 'secret'>): string =>
  secretTexts(receiver).reduce((shown, hidden) => shown.replaceAll(hidden, '•••'), text);

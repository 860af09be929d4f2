/** Normalises a link as the browser does, because the text that a host prints may look like another address. */
export function safeLink(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { href, protocol } = new URL(text);
  return protocol === 'http:' || protocol === 'https:' ? href : undefined;
}

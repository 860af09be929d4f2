/** Where a browser would go, by the letters it goes by: what a host printed may look like another place. */
export function linkOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { href, protocol } = new URL(text);
  return protocol === 'http:' || protocol === 'https:' ? href : undefined;
}

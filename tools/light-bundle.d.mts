type SourceMap = { version: number; file: string; names: string[]; sources: string[]; mappings: string };
export const unusedParts: RegExp;
export const withoutUnusedParts: { name: string; load: { handler: (id: string) => string } };
export const lightChunks: { name: string };
export function lightCode(
  code: string,
  map: SourceMap,
): { code: string; map: SourceMap & { sourcesContent: string[]; sourceRoot: string } };

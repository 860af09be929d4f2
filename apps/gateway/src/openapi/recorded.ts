import { buildDocument } from './document';

/** The document as `docs/openapi.json` has it. */
export const recordedText = (): string => `${JSON.stringify(buildDocument(), null, 2)}\n`;

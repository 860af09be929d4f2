// `npm run openapi` records the document in `docs/openapi.json`, unless it breaks the programs that use the recorded one.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { buildDocument } from './document';
import { recordedText, unnamedBreaks, withBreaks } from './recorded';

const documentFile = 'docs/openapi.json';
const changesFile = 'docs/api-changes.md';

const { values } = parseArgs({ options: { 'accept-break': { type: 'string' } } });
const reason = values['accept-break']?.replaceAll(/[|\n]/g, ' ').trim();

const changes = readFileSync(changesFile, 'utf8');
const breaks = existsSync(documentFile)
  ? unnamedBreaks(readFileSync(documentFile, 'utf8'), buildDocument(), changes)
  : [];

if (breaks.length > 0 && !reason) refuse();
else record();

function record(): void {
  const day = new Date().toISOString().slice(0, 10);
  if (breaks.length > 0 && reason) writeFileSync(changesFile, withBreaks(changes, breaks, reason, day));
  writeFileSync(documentFile, recordedText());
  process.stdout.write(`${documentFile} est à jour.\n`);
}

function refuse(): void {
  const list = breaks.map((each) => `  ${each}\n`).join('');
  process.stderr.write(
    `Ce document casserait les programmes qui se servent de l’actuel\u00a0:\n\n${list}\n` +
      'Gardez ce qui était promis, ou dites pourquoi\u00a0: npm run openapi -- --accept-break "RAISON"\n',
  );
  process.exitCode = 1;
}

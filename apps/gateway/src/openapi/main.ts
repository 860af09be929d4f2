// `npm run openapi` records the document in `docs/openapi.json`, for programs and for their tests.
import { writeFileSync } from 'node:fs';
import { recordedText } from './recorded';

writeFileSync('docs/openapi.json', recordedText());
process.stdout.write('docs/openapi.json est à jour.\n');

import { build } from '../start/build';
import { inherited } from '../start/env';
import { Refusal, say } from '../terminal';

// As whatever runs the product does it, with the note by which the next one sees that nothing has changed: an image is read only.
try {
  await build(say, inherited, new AbortController().signal);
} catch (error) {
  console.error(error instanceof Refusal ? error.message : error);
  process.exitCode = 1;
}

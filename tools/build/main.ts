import { build } from '../start/build';
import { inherited } from '../start/env';
import { runTool, say } from '../terminal';

// As whatever runs the product does it, with the note by which the next one sees that nothing has changed: an image is read only.
await runTool(() => build(say, inherited, new AbortController().signal));

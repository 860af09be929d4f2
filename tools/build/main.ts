import { build } from '../start/build';
import { inherited } from '../start/env';
import { runTool, say } from '../terminal';

// Records the build like every other command does: the image is read-only, so the tools could not build there.
await runTool(() => build(say, inherited, new AbortController().signal));

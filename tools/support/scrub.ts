import { z } from 'zod';

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const dotted = '(?:[\\p{L}\\p{N}_-]+\\.)+';
/** Of files; none of them is the end of a domain. */
const sources = 'js|ts|mjs|cjs|json|php|log|sql|map|conf';

/** What may name somebody, each with what stands for it; in this order, since one may hold another. */
const strikes: readonly [RegExp, string][] = [
  // Where the code is says something, the folder that it is installed in does not.
  [/(?:file:\/\/)?\/[^\s()"']*?\/(?=(?:dist|node_modules)\/|(?:apps|libs)\/[a-z-]+\/src\/)/g, ''],
  [/\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>)\]}]+/gi, '<url>'],
  [/"[^"\n]*"?|«[^»\n]*»?|`[^`\n]*`?|“[^”\n]*”?/g, '“…”'],
  [/(?<![\p{L}\p{N}])'[^'\n]*'?/gu, '“…”'],
  [/[\p{L}\p{N}._%+-]+@[\p{L}\p{N}.-]+/gu, '<e-mail>'],
  [/\b\d{1,3}(?:\.\d{1,3}){3}\b/g, '<ip>'],
  [/(?:[0-9a-f]{1,4}:){3,7}[0-9a-f]{0,4}|[0-9a-f:]*[0-9a-f]::[0-9a-f:]*|(?<![\w:])::[0-9a-f]+/gi, '<ip>'],
  [/(?<![\p{L}\p{N}_.>@/-])~?\/(?!\/)[^\s:()]*/gu, '<path>'],
  [new RegExp(`(?<![\\w-])(?!${dotted}(?:${sources})\\b)${dotted}\\p{L}{2,}\\b(?!\\()`, 'gu'), '<name>'],
  [new RegExp(`(?<![\\w-])(?!${uuid}(?![\\w-]))(?=[\\w-]*\\d)[\\w-]{20,}`, 'g'), '<token>'],
];

/** A sentence without what could name a person, a host or a secret; more goes than has to. */
export const scrub = (text: string): string => strikes.reduce((rest, [what, by]) => rest.replaceAll(what, by), text);

/** A function's name is of the code, as where it is. */
const frame = /^(\s+at (?:async |new )?[\w$.<> [\]]{1,120}) (\([^()\s]+\))$/;

const scrubStack = (stack: string): string =>
  stack
    .split('\n')
    .map((line) => {
      const [, name, place = ''] = frame.exec(line) ?? [];
      return name === undefined ? scrub(line) : `${name} ${scrub(place)}`;
    })
    .join('\n');

/** Where the name of a call is said, which is a word of the code. */
const word = z.string().regex(/^[a-z]+(?:[.-][a-z]+)*$/);
const id = z.string().regex(new RegExp(`^(?:${uuid}|unsigned)$`));
const sentence = z.string().transform(scrub);
const number = z.number();

type Failure = { type: string; message?: string; code?: string | number; stack?: string; cause?: Failure };
const Failure: z.ZodType<Failure> = z.lazy(() =>
  z.object({
    type: sentence,
    message: sentence.optional(),
    code: z
      .union([number, z.string().regex(/^\w{1,40}$/)])
      .optional()
      .catch(undefined),
    stack: z.string().transform(scrubStack).optional(),
    cause: Failure.optional().catch(undefined),
  }),
) as z.ZodType<Failure>;

/** All that is taken of a line that a process of Vigie wrote; the rest is left out, whatever it is. */
const fields: Record<string, z.ZodType> = {
  level: number,
  time: z.iso.datetime(),
  app: word,
  pid: number,
  requestId: id,
  msg: sentence,
  err: z.union([Failure, sentence]),
  method: z.string().regex(/^[A-Z]{1,10}$/),
  // The pattern of a route, never the address as it was typed.
  route: z.string().regex(/^(?:web|\/api[\w/:-]*|\/[\w*/:-]*)$/),
  status: number,
  ms: number,
  subject: word,
  queue: word,
  kind: word,
  job: id,
  jobs: number,
  port: number,
  reason: sentence,
  source: word,
};

function readLine(line: string): string | undefined {
  const read = z.record(z.string(), z.unknown()).safeParse(parsed(line));
  if (!read.success) return undefined;
  const kept = Object.entries(fields).flatMap(([name, schema]) => {
    const value = schema.safeParse(read.data[name]);
    return value.success && value.data !== undefined ? [[name, value.data]] : [];
  });
  return JSON.stringify(Object.fromEntries(kept));
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** What is left of one that was cut, with words of which nothing says what they are. */
const isHalf = (line: string) => line.startsWith('{') || (line.trimEnd().endsWith('}') && line.includes('"'));

/** PostgreSQL goes on with the statement and the values that a line is about. */
const isAboutStatement = (line: string) => /^\s/.test(line) || /\b(?:DETAIL|STATEMENT|CONTEXT|QUERY|HINT):/.test(line);

/** The lines of a log, as a stranger may read them. */
export const scrubLines = (lines: readonly string[]): string[] =>
  lines.flatMap((line) => readLine(line) ?? (isHalf(line) || isAboutStatement(line) ? [] : [scrub(line)]));

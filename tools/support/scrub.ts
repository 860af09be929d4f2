import { z } from 'zod';
import { KnownValues } from './known-values';

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const dottedNames = '(?:[\\p{L}\\p{N}_-]+\\.)+';
/** File extensions that are not top-level domains. */
const fileExtensions = 'js|ts|mjs|cjs|json|php|log|sql|map|conf';

/** A name that announces a secret value. */
const secretName = '\\b[\\w-]{0,40}(?:passw|passphrase|pwd|secret|token|api_?key|authorization|cookie)[\\w-]*';
const secretValue = '"[^"\\n]*"?|\'[^\'\\n]*\'?|[^\\s,;&]+';

const token = `(?!${uuid}(?![\\w-]))(?=[\\w-]*\\d)[\\w-]{20,}`;
/** Spares the name of a secret, which marks the value after it as secret. */
const wholeToken = new RegExp(`(?<![\\w-])(?!${secretName}\\s*[=:])${token}`, 'gi');

/** Patterns of identifying values with their replacement. The order matters, because one may contain another. */
const redactions: readonly [RegExp, string][] = [
  // Keeps the position in the code, and removes the folder of the installation.
  [/(?:file:\/\/)?\/[^\s()"']*?\/(?=(?:dist|node_modules)\/|(?:apps|libs)\/[a-z-]+\/src\/)/g, ''],
  [/\b[a-z][a-z0-9+.-]*:\/\/(?:<known>|[^\s"'<>)\]}])+/gi, '<url>'],
  [new RegExp(`(${secretName}\\s*[=:]\\s*(?:(?:bearer|basic)\\s+)?)(?:${secretValue})`, 'gi'), '$1<secret>'],
  [/"[^"\n]*"?|«[^»\n]*»?|`[^`\n]*`?|“[^”\n]*”?/g, '“…”'],
  [/(?<![\p{L}\p{N}])'[^'\n]*'?/gu, '“…”'],
  [/(?:<known>|[\p{L}\p{N}._%+-])+@[\p{L}\p{N}.-]+/gu, '<e-mail>'],
  [/\b\d{1,3}(?:\.\d{1,3}){3}\b/g, '<ip>'],
  [/(?:[0-9a-f]{1,4}:){3,7}[0-9a-f]{0,4}|[0-9a-f:]*[0-9a-f]::[0-9a-f:]*|(?<![\w:])::[0-9a-f]+/gi, '<ip>'],
  [/(?<![\p{L}\p{N}_.>@/-])~?\/(?!\/)[^\s:()]*/gu, '<path>'],
  [
    new RegExp(`(?<![\\w-])(?!${dottedNames}(?:${fileExtensions})\\b)${dottedNames}\\p{L}{2,}\\b(?!\\()`, 'gu'),
    '<name>',
  ],
  // The host in a system error may be a single word.
  [/\b(E(?:AI_|CONN|HOST|NET|NOTFOUND|TIMEDOUT)[A-Z_]*) (?!<)[^\s:,]+/g, '$1 <name>'],
  [new RegExp(`(?<![\\w-])${token}`, 'g'), '<token>'],
];

/** A line of a stack, whose function name is a word of the code. */
const frame = /^(\s+at (?:async |new )?[\w$.<> [\]]{1,120}) (\([^()\s]+\))$/;

/** The names of calls, queues and jobs are words of the code. */
const word = z.string().regex(/^[a-z]+(?:[.-][a-z]+)*$/);
const id = z.string().regex(new RegExp(`^(?:${uuid}|unsigned)$`));
const number = z.number();

type Failure = { type: string; message?: string; code?: string | number; stack?: string; cause?: Failure };
type Scrub = (text: string) => string;

function failureSchema(scrub: Scrub, scrubStack: Scrub): z.ZodType<Failure> {
  const sentence = z.string().transform(scrub);
  const failure: z.ZodType<Failure> = z.lazy(() =>
    z.object({
      type: sentence,
      message: sentence.optional(),
      code: z
        .union([number, z.string().regex(/^\w{1,40}$/)])
        .optional()
        .catch(undefined),
      stack: z.string().transform(scrubStack).optional(),
      cause: failure.optional().catch(undefined),
    }),
  ) as z.ZodType<Failure>;
  return failure;
}

/** The fields of a log line that are kept; all others are left out. */
const fieldSchemas = (sentence: z.ZodType, failure: z.ZodType): Record<string, z.ZodType> => ({
  level: number,
  time: z.iso.datetime(),
  app: word,
  pid: number,
  requestId: id,
  msg: sentence,
  err: z.union([failure, sentence]),
  method: z.string().regex(/^[A-Z]{1,10}$/),
  // The pattern of a route, never the requested address.
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
});

/** Redacts logs and messages for strangers, and prefers to redact too much. */
export class Scrubber {
  private readonly fields: Record<string, z.ZodType>;

  /** Values of `known` are redacted wherever they occur, all others by their pattern. */
  constructor(private readonly known = new KnownValues()) {
    const scrub = (text: string) => this.sentence(text);
    this.fields = fieldSchemas(
      z.string().transform(scrub),
      failureSchema(scrub, (text) => this.stack(text)),
    );
  }

  /** Redacts what may identify a person, a host or a secret. */
  sentence(text: string): string {
    return redactions.reduce(
      (rest, [pattern, replacement]) => rest.replaceAll(pattern, replacement),
      this.known.redact(text, wholeToken),
    );
  }

  lines(lines: readonly string[]): string[] {
    return lines.flatMap(
      (line) => this.line(line) ?? (isTruncated(line) || isAboutStatement(line) ? [] : [this.sentence(line)]),
    );
  }

  private stack(text: string): string {
    const lines = text.split('\n').map((line) => {
      const [, name, position = ''] = frame.exec(line) ?? [];
      return name === undefined ? this.sentence(line) : `${name} ${this.sentence(position)}`;
    });
    return lines.join('\n');
  }

  private line(line: string): string | undefined {
    const record = z.record(z.string(), z.unknown()).safeParse(parseJson(line));
    if (!record.success) return undefined;
    const fields = Object.entries(this.fields).flatMap(([name, schema]) => {
      const value = schema.safeParse(record.data[name]);
      return value.success && value.data !== undefined ? [[name, value.data]] : [];
    });
    return JSON.stringify(Object.fromEntries(fields));
  }
}

export function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** A truncated JSON line may contain values without the names of their fields. */
const isTruncated = (line: string) => line.startsWith('{') || (line.trimEnd().endsWith('}') && line.includes('"'));

/** PostgreSQL continues a message with the statement and its values. */
const isAboutStatement = (line: string) => /^\s/.test(line) || /\b(?:DETAIL|STATEMENT|CONTEXT|QUERY|HINT):/.test(line);

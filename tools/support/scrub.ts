import { z } from 'zod';
import { Known } from './known';

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const dotted = '(?:[\\p{L}\\p{N}_-]+\\.)+';
/** Of files; none of them is the end of a domain. */
const sources = 'js|ts|mjs|cjs|json|php|log|sql|map|conf';

/** It is followed by what nobody else may know. */
const secretName = '\\b[\\w-]{0,40}(?:passw|passphrase|pwd|secret|token|api_?key|authorization|cookie)[\\w-]*';
const secretValue = '"[^"\\n]*"?|\'[^\'\\n]*\'?|[^\\s,;&]+';

const token = `(?!${uuid}(?![\\w-]))(?=[\\w-]*\\d)[\\w-]{20,}`;
/** But for the name of a secret, by which what follows it is known for one. */
const wholeToken = new RegExp(`(?<![\\w-])(?!${secretName}\\s*[=:])${token}`, 'gi');

/** What may name somebody, each with what stands for it; in this order, since one may hold another. */
const strikes: readonly [RegExp, string][] = [
  // Where the code is says something, the folder that it is installed in does not.
  [/(?:file:\/\/)?\/[^\s()"']*?\/(?=(?:dist|node_modules)\/|(?:apps|libs)\/[a-z-]+\/src\/)/g, ''],
  [/\b[a-z][a-z0-9+.-]*:\/\/(?:<known>|[^\s"'<>)\]}])+/gi, '<url>'],
  [new RegExp(`(${secretName}\\s*[=:]\\s*(?:(?:bearer|basic)\\s+)?)(?:${secretValue})`, 'gi'), '$1<secret>'],
  [/"[^"\n]*"?|«[^»\n]*»?|`[^`\n]*`?|“[^”\n]*”?/g, '“…”'],
  [/(?<![\p{L}\p{N}])'[^'\n]*'?/gu, '“…”'],
  [/(?:<known>|[\p{L}\p{N}._%+-])+@[\p{L}\p{N}.-]+/gu, '<e-mail>'],
  [/\b\d{1,3}(?:\.\d{1,3}){3}\b/g, '<ip>'],
  [/(?:[0-9a-f]{1,4}:){3,7}[0-9a-f]{0,4}|[0-9a-f:]*[0-9a-f]::[0-9a-f:]*|(?<![\w:])::[0-9a-f]+/gi, '<ip>'],
  [/(?<![\p{L}\p{N}_.>@/-])~?\/(?!\/)[^\s:()]*/gu, '<path>'],
  [new RegExp(`(?<![\\w-])(?!${dotted}(?:${sources})\\b)${dotted}\\p{L}{2,}\\b(?!\\()`, 'gu'), '<name>'],
  // As the system says it of a host that may have one word for a name.
  [/\b(E(?:AI_|CONN|HOST|NET|NOTFOUND|TIMEDOUT)[A-Z_]*) (?!<)[^\s:,]+/g, '$1 <name>'],
  [new RegExp(`(?<![\\w-])${token}`, 'g'), '<token>'],
];

/** A function's name is of the code, as where it is. */
const frame = /^(\s+at (?:async |new )?[\w$.<> [\]]{1,120}) (\([^()\s]+\))$/;

/** Where the name of a call is said, which is a word of the code. */
const word = z.string().regex(/^[a-z]+(?:[.-][a-z]+)*$/);
const id = z.string().regex(new RegExp(`^(?:${uuid}|unsigned)$`));
const number = z.number();

type Failure = { type: string; message?: string; code?: string | number; stack?: string; cause?: Failure };
type Scrub = (text: string) => string;

function failureOf(scrub: Scrub, scrubStack: Scrub): z.ZodType<Failure> {
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

/** All that is taken of a line that a process of Vigie wrote; the rest is left out, whatever it is. */
const fieldsOf = (sentence: z.ZodType, failure: z.ZodType): Record<string, z.ZodType> => ({
  level: number,
  time: z.iso.datetime(),
  app: word,
  pid: number,
  requestId: id,
  msg: sentence,
  err: z.union([failure, sentence]),
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
});

/** What a stranger may read of what was said here: more goes than has to. */
export class Scrubber {
  private readonly fields: Record<string, z.ZodType>;

  /** `known`: struck out by what it is; all else by what it looks like. */
  constructor(private readonly known = new Known()) {
    const scrub = (text: string) => this.sentence(text);
    this.fields = fieldsOf(
      z.string().transform(scrub),
      failureOf(scrub, (text) => this.stack(text)),
    );
  }

  /** Without what could name a person, a host or a secret. */
  sentence(text: string): string {
    return strikes.reduce((rest, [what, by]) => rest.replaceAll(what, by), this.known.strike(text, wholeToken));
  }

  /** The lines of a log. */
  lines(lines: readonly string[]): string[] {
    return lines.flatMap(
      (line) => this.line(line) ?? (isHalf(line) || isAboutStatement(line) ? [] : [this.sentence(line)]),
    );
  }

  private stack(text: string): string {
    const lines = text.split('\n').map((line) => {
      const [, name, place = ''] = frame.exec(line) ?? [];
      return name === undefined ? this.sentence(line) : `${name} ${this.sentence(place)}`;
    });
    return lines.join('\n');
  }

  private line(line: string): string | undefined {
    const read = z.record(z.string(), z.unknown()).safeParse(parsed(line));
    if (!read.success) return undefined;
    const kept = Object.entries(this.fields).flatMap(([name, schema]) => {
      const value = schema.safeParse(read.data[name]);
      return value.success && value.data !== undefined ? [[name, value.data]] : [];
    });
    return JSON.stringify(Object.fromEntries(kept));
  }
}

export function parsed(line: string): unknown {
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

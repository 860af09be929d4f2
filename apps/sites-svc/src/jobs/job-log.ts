import type { EntityManager } from 'typeorm';

/** In bytes. A long log keeps its beginning, and its end, which has the reason for a failure. */
const maxHeadBytes = 245_760;
const maxTailBytes = 16_384;
const cutLine = 'Journal coupé ici, à 240\u00a0Kio\u00a0: seules les dernières lignes de la suite sont gardées.';

/** Columns of the job's row, which the writer has locked. `log_cut` is the `seq` of the line that announces the cut. */
export type LogRow = { log_seq: number; log_bytes: number; log_cut: number | null };
export const logColumns = 'log_seq, log_bytes, log_cut';

type LogAppend = LogRow & { first: number; lines: string[] };

const bytesOf = (line: string) => Buffer.byteLength(line) + 1;
/** PostgreSQL refuses NUL. */
const readableLine = (line: string) => line.replaceAll('\0', '');

export function appendLines(
  { log_seq: seq, log_bytes: before, log_cut: cutBefore }: LogRow,
  newLines: readonly string[],
): LogAppend {
  let bytes = before;
  const cutIndex = newLines.findIndex((line) => {
    bytes += bytesOf(line);
    return bytes > maxHeadBytes;
  });
  const isCutHere = cutBefore === null && cutIndex >= 0;
  const lines = isCutHere ? newLines.toSpliced(cutIndex, 0, cutLine) : [...newLines];
  const cut = isCutHere ? seq + cutIndex + 1 : cutBefore;
  const countedLines = cutBefore === null ? newLines.slice(0, isCutHere ? cutIndex : newLines.length) : [];
  return {
    first: seq + 1,
    lines: lines.map(readableLine),
    log_seq: seq + lines.length,
    log_bytes: before + countedLines.reduce((total, line) => total + bytesOf(line), 0),
    log_cut: cut,
  };
}

/** After the cut, new lines replace older ones. */
export async function writeLog(manager: EntityManager, id: string, { first, lines, log_cut: cut }: LogAppend) {
  if (lines.length === 0) return;
  await manager.query(
    'insert into job_log (job_id, seq, text) select $1, $2 + at - 1, text from unnest($3::text[]) with ordinality as l(text, at)',
    [id, first, lines],
  );
  if (cut === null) return;
  await manager.query(
    `delete from job_log l using (
       select seq, sum(octet_length(text) + 1) over (order by seq desc) as bytes from job_log where job_id = $1 and seq > $2
     ) t where l.job_id = $1 and l.seq = t.seq and t.bytes > $3`,
    [id, cut, maxTailBytes],
  );
}

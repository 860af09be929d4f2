import { Group, Stack, Text, TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import { isFinal, type Job } from '@vigie/contracts/jobs';
import { ArrowDownToLine, Check, Copy, Download, Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { copyText } from '../../ui/copy';
import { IconButton } from '../../ui/IconButton';
import { plural } from '../../ui/plural';
import styles from './jobs.module.css';
import { colouredParts, escapeControls, formatClock, formatLog, logFileName, matchesText } from './log-text';

function saveAs(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has started by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

function emptyLogText({ state }: Job, query: string): string {
  if (query !== '') return `Aucune ligne ne contient «\u00a0${query}\u00a0».`;
  if (state === 'queued') return 'En file\u00a0: la tâche commencera dès que son serveur aura de la place.';
  return isFinal(state) ? 'Cette tâche n’a rien écrit.' : 'Rien pour l’instant.';
}

const LineText = ({ line }: { line: string }) => (
  <span>
    {colouredParts(line).map(({ text, tone, isBold }, index) => (
      <Text key={index} span inherit c={tone && `var(--${tone})`} fw={isBold ? 600 : undefined}>
        {text}
      </Text>
    ))}
  </span>
);

type LinesProps = { lines: Job['log']; isFollowing: boolean; onFollow: (isFollowing: boolean) => void; empty: string };

const nearEnd = 24;

/** Scrolling up stops following the log; scrolling to its end follows it again. */
function Lines({ lines, isFollowing, onFollow, empty }: LinesProps) {
  const container = useRef<HTMLDivElement>(null);
  const scrolledTo = useRef(0);
  useEffect(() => {
    const { current: element } = container;
    if (element && isFollowing && lines.length > 0) element.scrollTop = element.scrollHeight;
  }, [lines, isFollowing]);
  const onScroll = () => {
    const { current: element } = container;
    if (!element) return;
    const { scrollTop, scrollHeight, clientHeight } = element;
    // New lines or a growing sheet also move the end away, without a scroll by the user.
    const isUp = scrollTop < scrolledTo.current;
    scrolledTo.current = scrollTop;
    if (scrollHeight - scrollTop - clientHeight < nearEnd) onFollow(true);
    else if (isUp) onFollow(false);
  };
  return (
    // A live region would read every line aloud.
    <div
      ref={container}
      role="log"
      aria-live="off"
      aria-label="Journal"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard must be able to scroll it
      tabIndex={0}
      className={styles['log']}
      onScroll={onScroll}
    >
      {lines.length === 0 && <Text c="muted">{empty}</Text>}
      {lines.map(({ seq, at, text }) => (
        <p key={seq} className={styles['line']}>
          <time dateTime={at}>{formatClock(at)}</time>
          <LineText line={text} />
        </p>
      ))}
    </div>
  );
}

export function JobLog({ job }: { job: Job }) {
  const [query, setQuery] = useState('');
  const [isFollowing, setFollowing] = useState(!isFinal(job.state));
  const lines = query.trim() === '' ? job.log : job.log.filter(({ text }) => matchesText(escapeControls(text), query));
  return (
    <Stack component="section" aria-label="Journal de la tâche" gap={6}>
      <Group wrap="nowrap" gap={4} flex="none" className={styles['tools']}>
        <TextInput
          type="search"
          aria-label="Chercher dans le journal"
          placeholder="Chercher"
          autoComplete="off"
          spellCheck={false}
          flex="0 1 260px"
          leftSection={<Search size={16} strokeWidth={1.75} aria-hidden />}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
        <Text span truncate flex="none" mr="auto" pl={6} c="muted" fz={12}>
          <output>{query.trim() !== '' && plural(lines.length, 'ligne', 'lignes')}</output>
        </Text>
        <LogActions job={job} isFollowing={isFollowing} onFollow={setFollowing} />
      </Group>
      <Lines lines={lines} isFollowing={isFollowing} onFollow={setFollowing} empty={emptyLogText(job, query.trim())} />
    </Stack>
  );
}

type LogActionsProps = Pick<LinesProps, 'isFollowing' | 'onFollow'> & { job: Job };

function LogActions({ job, isFollowing, onFollow }: LogActionsProps) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => setCopied(await copyText(formatLog(job)));
  return (
    <>
      {!isFinal(job.state) && (
        <IconButton
          icon={ArrowDownToLine}
          label="Suivre le journal"
          title={isFollowing ? 'Ne plus suivre' : 'Suivre'}
          aria-pressed={isFollowing}
          onClick={() => onFollow(!isFollowing)}
        />
      )}
      <IconButton
        icon={isCopied ? Check : Copy}
        label={isCopied ? 'Journal copié' : 'Copier le journal'}
        title="Copier"
        onClick={() => void copy()}
      />
      <IconButton
        icon={Download}
        label="Télécharger le journal"
        title="Télécharger"
        onClick={() => saveAs(logFileName(job), formatLog(job))}
      />
    </>
  );
}

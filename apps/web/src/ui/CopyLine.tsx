import { Button, Group, Stack, Text } from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { CodeBox } from './CodeBox';
import { copyText } from './copy';

type Props = { label: string; text: string };

/** A line of text to copy. When the clipboard refuses, the text is selected so that Ctrl+C copies it. */
export function CopyLine({ label, text }: Props) {
  const line = useRef<HTMLElement>(null);
  const name = useId();
  const [state, setState] = useState<'copied' | 'selected'>();
  const copy = async () => {
    if (await copyText(text)) return setState('copied');
    if (line.current) window.getSelection()?.selectAllChildren(line.current);
    setState('selected');
  };
  const Icon = state === 'copied' ? Check : Copy;
  return (
    <Stack gap={6} miw={0}>
      <Group justify="space-between" wrap="nowrap" gap={12} fw={500}>
        <span id={name}>{label}</span>
        <Button
          variant="default"
          size="xs"
          flex="none"
          leftSection={<Icon size={14} aria-hidden />}
          aria-describedby={name}
          onClick={() => void copy()}
        >
          {state === 'copied' ? 'Copié' : 'Copier'}
        </Button>
      </Group>
      <CodeBox ref={line}>{text}</CodeBox>
      <Text component="output" c="muted" fz={13}>
        {state === 'selected' && 'Le presse-papiers a refusé. Le texte est sélectionné\u00a0: copiez-le avec Ctrl+C.'}
      </Text>
    </Stack>
  );
}

export function CopyButton({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState<string>();
  const isCopied = copied === text;
  const Icon = isCopied ? Check : Copy;
  const copy = async () => {
    if (await copyText(text)) setCopied(text);
  };
  return (
    <Button variant="default" leftSection={<Icon size={16} aria-hidden />} onClick={() => void copy()}>
      {isCopied ? 'Copié' : label}
    </Button>
  );
}

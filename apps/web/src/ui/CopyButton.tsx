import { Button } from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { copyText } from './copy';

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

import { TextInput } from '@mantine/core';
import '@mantine/core/styles/Input.layer.css';
import { useDebouncedValue } from '@mantine/hooks';
import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';

type Props = { label: string; value: string; onChange: (value: string) => void; className?: string | undefined };

/** The search of a page, which the shortcut `/` focuses. The address follows the text, and the text follows a navigation back. */
export function SearchField({ label, value, onChange, className }: Props) {
  const [text, setText] = useState(value);
  const sent = useRef<string[]>([]);
  useEffect(() => {
    // The address may lag behind the typing: an older value must not replace the newer text.
    const at = sent.current.indexOf(value);
    if (at >= 0) sent.current.splice(0, at + 1);
    else setText(value);
  }, [value]);
  const change = (next: string) => {
    setText(next);
    sent.current.push(next);
    onChange(next);
  };
  return (
    <TextInput
      type="search"
      data-page-search
      aria-label={label}
      placeholder={label}
      autoComplete="off"
      spellCheck={false}
      className={className ?? ''}
      leftSection={<Search size={16} strokeWidth={1.75} aria-hidden />}
      value={text}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}

const typingMs = 250;

/** Waits for the end of typing; a search that is cleared applies at once. */
export function useDebouncedSearch(q: string): string {
  const [debounced] = useDebouncedValue(q, typingMs);
  return q === '' ? '' : debounced;
}

import { useState } from 'react';
import { useBrand } from './brand';
import { useTheme } from './theme';

/** One drawing for both themes: its colours are tokens. */
function Lighthouse({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden focusable="false">
      <rect width="24" height="24" rx="6" fill="var(--accent)" />
      <g fill="var(--on-accent)">
        <path d="M12 3.4 15 6.3v.9H9v-.9zM10 8.2h4v2.5h-4zM8.4 11.7h7.2v1.5H8.4zM9.6 14.2h4.8l1 6.4H8.6z" />
        <path opacity=".55" d="M8.7 8.4 4 6.6v5.1l4.7-1.2zM15.3 8.4 20 6.6v5.1l-4.7-1.2z" />
      </g>
    </svg>
  );
}

/** An uploaded logo is always an `img`, where scripts inside an SVG do not run. */
export function LogoImage({ uri, size = 24 }: { uri: string | null; size?: number }) {
  const [broken, setBroken] = useState<string>();
  if (uri === null || uri === broken) return <Lighthouse size={size} />;
  const look = { display: 'block', flex: 'none', width: 'auto', maxWidth: 128, objectFit: 'contain' } as const;
  return <img src={uri} alt="" height={size} style={look} onError={() => setBroken(uri)} />;
}

/** The logo of the current theme, or else that of the other theme. */
export function Logo({ size = 24 }: { size?: number }) {
  const { logo_light_b64: light, logo_dark_b64: dark } = useBrand();
  const isDark = useTheme().resolved === 'dark';
  return <LogoImage uri={isDark ? (dark ?? light) : (light ?? dark)} size={size} />;
}

import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import links from './links.module.css';

/** Details that unfold under their name. */
export const Disclosure = ({ name, children }: { name: string; children: ReactNode }) => (
  <details>
    <summary className={links['unfold']}>
      <ChevronRight size={14} aria-hidden />
      {name}
    </summary>
    {children}
  </details>
);

import { Link, useMatches } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { useSignal } from '../../ui/signal';
import { pageTitle } from '../../ui/pageTitle';
import styles from './Breadcrumb.module.css';

export function Breadcrumb() {
  const pageName = useSignal(pageTitle);
  const matches = useMatches();
  const leaf = matches.at(-1);
  if (!leaf?.staticData.title) return <span className={styles['breadcrumb']} />;
  const { title, parent } = leaf.staticData;
  return (
    <nav aria-label="Fil d’Ariane" className={styles['breadcrumb']}>
      <ol>
        {parent && (
          <li>
            <Link to={parent.to} activeOptions={{ exact: true }}>
              {parent.title}
            </Link>
            <ChevronRight size={14} aria-hidden />
          </li>
        )}
        <li aria-current="page">{pageName ?? title}</li>
      </ol>
    </nav>
  );
}

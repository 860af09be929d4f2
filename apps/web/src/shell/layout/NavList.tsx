import { Link } from '@tanstack/react-router';
import { sidebar } from './navigation';
import styles from './NavList.module.css';

export function NavList({ isCollapsed = false, onChoose }: { isCollapsed?: boolean; onChoose?: () => void }) {
  return (
    <div className={styles['groups']} data-collapsed={isCollapsed || undefined}>
      {sidebar.map((items) => (
        <ul key={items[0]?.to} className={styles['group']}>
          {items.map(({ to, label, icon: Icon }) => (
            <li key={to}>
              <Link
                to={to}
                className={styles['link']}
                activeOptions={{ exact: to === '/', includeSearch: false }}
                onClick={onChoose}
              >
                <Icon size={16} strokeWidth={1.75} aria-hidden className={styles['icon']} />
                <span className={styles['label']}>{label}</span>
              </Link>
            </li>
          ))}
        </ul>
      ))}
    </div>
  );
}

import { ActivityList } from '../features/activity/ActivityList';
import styles from './DashboardPage.module.css';

/** One look at everything: each part is of its own feature, and fails on its own. */
export const DashboardPage = () => (
  <div className={styles['page']}>
    <div>
      <h1>Tableau de bord</h1>
      <p className={styles['lead']}>
        Ce qui s’est fait ici. L’état des sites et des serveurs arrive avec une prochaine version.
      </p>
    </div>
    <ActivityList />
  </div>
);

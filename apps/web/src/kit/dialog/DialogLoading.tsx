import styles from './dialog.module.css';
import { Failure } from '../../ui/Failure';
import { FormDialog } from './FormDialog';
import { RetryButton } from '../../ui/RetryButton';
import { Skeleton } from '../../ui/Skeleton';

type Props = {
  title: string;
  answer: { isFetching: boolean; refetch: () => unknown };
  /** Why the data of the form could not be read. */
  failure: string | undefined;
  onClose: () => void;
};

/** A dialog that waits for the initial data of its form. */
export function DialogLoading({ title, answer: { isFetching, refetch }, failure, onClose }: Props) {
  return (
    <FormDialog title={title} onClose={onClose}>
      <div className={styles['content']}>
        {failure === undefined ? (
          <Skeleton rows={5} height={64} />
        ) : (
          <Failure sentence={failure}>
            <RetryButton isBusy={isFetching} onRetry={refetch} />
          </Failure>
        )}
      </div>
    </FormDialog>
  );
}

import { Box, Button, Stack } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { ArrowLeft, Download, FileQuestion } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { changeSearch } from '../../kit/list/search-params';
import { SearchField } from '../../kit/list/SearchField';
import { failureMessage } from '../../kit/query/failures';
import { useExport } from '../../kit/query/useExport';
import { Card } from '../../ui/Card';
import { EmptyState } from '../../ui/EmptyState';
import { useFocusHandOver } from '../../ui/focus';
import { Page } from '../../ui/Page';
import { usePageTitle } from '../../ui/pageTitle';
import { ReadFailed } from '../../ui/ReadFailed';
import { Skeleton } from '../../ui/Skeleton';
import { useNarrow } from '../../ui/useNarrow';
import { apiReferenceApi, documentCall } from './api-reference.api';
import type { ApiDocument } from './api-document';
import { Markdown } from './Markdown';
import { OperationList } from './OperationList';
import { OperationView } from './OperationView';
import { type Operation, searchSections, type Section, sectionsOf } from './operations';
import type { ReferenceSearch } from './search';
import styles from './api-reference.module.css';

const title = 'Référence de l’API';

function DownloadButton() {
  const { isBusy, run } = useExport();
  return (
    <Button
      variant="default"
      leftSection={<Download size={16} aria-hidden />}
      loading={isBusy}
      onClick={() => run('openapi.json', documentCall)}
    >
      Télécharger openapi.json
    </Button>
  );
}

const Introduction = ({ source }: { source: string }) => (
  <Card component="section" aria-labelledby="introduction" p="var(--gutter)" miw={0}>
    <Stack gap={12}>
      <h2 id="introduction">Introduction</h2>
      <Markdown source={source} />
    </Stack>
  </Card>
);

const UnknownOperation = ({ id, q }: { id: string; q: string | undefined }) => (
  <EmptyState
    icon={FileQuestion}
    title="Route inconnue"
    actions={
      <Button variant="default" renderRoot={(props) => <Link to="/reference" search={{ q }} {...props} />}>
        Voir l’introduction
      </Button>
    }
  >
    <p>{`Cette installation de Vigie n’a pas de route «\u00a0${id}\u00a0».`}</p>
  </EmptyState>
);

type DetailProps = {
  search: ReferenceSearch;
  document: ApiDocument;
  operation: Operation | undefined;
  isChosen: boolean;
};

/** The operation of the address, or the introduction. */
function Detail({ search: { q, operation: id }, document, operation, isChosen }: DetailProps) {
  usePageTitle(operation?.summary ?? title);
  if (id === undefined) return <Introduction source={document.info.description ?? ''} />;
  if (!operation) return <UnknownOperation id={id} q={q} />;
  return (
    <OperationView key={operation.id} operation={operation} components={document.components} isChosen={isChosen} />
  );
}

type ListProps = { search: ReferenceSearch; sections: readonly Section[]; onChoose: () => void };

function List({ search, sections, onChoose }: ListProps) {
  const navigate = useNavigate({ from: '/reference' });
  const q = useDeferredValue(search.q?.trim() || undefined);
  const found = useMemo(() => (q === undefined ? sections : searchSections(sections, q)), [sections, q]);
  return (
    <Stack gap={8} className={styles['side'] ?? ''}>
      <SearchField
        label="Rechercher une route"
        value={search.q ?? ''}
        onChange={(value) => void navigate(changeSearch<ReferenceSearch>({ q: value || undefined }))}
      />
      <OperationList sections={found} q={q} chosen={search.operation} onChoose={onChoose} />
    </Stack>
  );
}

/** It goes once it was followed, and hands the focus to the list that comes. */
function BackLink({ q }: { q: string | undefined }) {
  const link = useFocusHandOver<HTMLDivElement>('main');
  return (
    <div ref={link}>
      <Link to="/reference" search={{ q }} className={styles['back']}>
        <ArrowLeft size={16} aria-hidden />
        Toutes les routes
      </Link>
    </div>
  );
}

type ReferenceProps = { search: ReferenceSearch; document: ApiDocument; isOnlyDetail: boolean };

/** A phone shows the list, or the operation that was chosen from it. */
function Reference({ search, document, isOnlyDetail }: ReferenceProps) {
  const [hasChosen, setChosen] = useState(false);
  const sections = useMemo(() => sectionsOf(document), [document]);
  const operation = useMemo(
    () => sections.flatMap(({ operations }) => operations).find(({ id }) => id === search.operation),
    [sections, search.operation],
  );
  return (
    <div className={styles['columns']}>
      {isOnlyDetail ? (
        <BackLink q={search.q} />
      ) : (
        <List search={search} sections={sections} onChoose={() => setChosen(true)} />
      )}
      <Box miw={0}>
        <Detail search={search} document={document} operation={operation} isChosen={hasChosen} />
      </Box>
    </div>
  );
}

/** The reference of the HTTP API for those who write programs, from the document that programs read too. */
export function ReferencePage({ search }: { search: ReferenceSearch }) {
  const { data: document, error, isFetching, refetch } = apiReferenceApi.useApiDocumentQuery();
  const isOnlyDetail = useNarrow() && search.operation !== undefined;
  const failure = document ? undefined : failureMessage(error, 'Impossible de charger la référence.');
  return (
    <Page
      title={title}
      lead="Ce que vos programmes peuvent demander à Vigie, avec un jeton ou une session."
      action={!isOnlyDetail && <DownloadButton />}
    >
      {document && <Reference search={search} document={document} isOnlyDetail={isOnlyDetail} />}
      {failure !== undefined && <ReadFailed sentence={failure} isBusy={isFetching} onRetry={refetch} />}
      {!document && failure === undefined && <Skeleton rows={8} />}
    </Page>
  );
}

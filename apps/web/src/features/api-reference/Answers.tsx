import { Box, Stack, Text } from '@mantine/core';
import { CodeBox } from '../../ui/CodeBox';
import { Lines } from '../../ui/Lines';
import { type Answer, type ApiDocument, exampleOf } from './api-document';
import { FieldLine, SchemaView } from './Fields';
import { Inline } from './Markdown';
import type { Operation } from './operations';
import styles from './api-reference.module.css';

type Components = ApiDocument['components'];
type Props = { status: string; answer: Answer; components: Components };

const isError = ({ status }: { status: string }) => /^[45d]/.test(status);

const jsonLine = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));

function Headers({ answer, components }: Omit<Props, 'status'>) {
  const headers = Object.entries(answer.headers ?? {});
  if (headers.length === 0) return null;
  return (
    <div>
      <h5>En-têtes de la réponse</h5>
      <Lines>
        {headers.map(([name, header]) => {
          const { schema = {}, description = '' } = header;
          const described = { description, ...schema };
          return (
            <FieldLine key={name} name={name} isRequired schema={described} schemas={components.schemas} use="answer" />
          );
        })}
      </Lines>
    </div>
  );
}

function Success({ status, answer, components }: Props) {
  return (
    <Stack gap={8} className={styles['answer'] ?? ''}>
      <h4>
        <span className={styles['status']}>{status}</span> <Inline text={answer.description ?? ''} />
      </h4>
      {Object.entries(answer.content ?? {}).map(([type, media]) => {
        const example = exampleOf(media);
        return (
          <Stack key={type} gap={8}>
            {type !== 'application/json' && <Text variant="note">{`Type\u00a0: ${type}`}</Text>}
            {media.schema && <SchemaView schema={media.schema} schemas={components.schemas} use="answer" />}
            {example !== undefined && (
              <div>
                <h5>Exemple de réponse</h5>
                <Box style={{ '--code': '360px' }}>
                  <CodeBox>{jsonLine(example)}</CodeBox>
                </Box>
              </div>
            )}
          </Stack>
        );
      })}
      <Headers answer={answer} components={components} />
    </Stack>
  );
}

/** The sentence that the example of an error has, where it is no repetition. */
function sentenceOf({ description, content = {} }: Answer): string | undefined {
  const media = content['application/json'];
  const example = media && exampleOf(media);
  if (typeof example !== 'object' || example === null || !('detail' in example)) return undefined;
  const { detail } = example;
  const isObject = typeof detail === 'object' && detail !== null && 'message' in detail;
  const sentence = isObject ? detail.message : detail;
  return typeof sentence === 'string' && sentence !== description ? sentence : undefined;
}

const Failures = ({ answers }: { answers: Operation['answers'] }) => (
  <Lines>
    {answers.map(({ status, answer }) => {
      const sentence = sentenceOf(answer);
      return (
        <li key={status} className={styles['failure']}>
          <span className={styles['status']}>{status}</span>
          <div>
            <Inline text={answer.description ?? ''} />
            {sentence !== undefined && <Text variant="note">{`«\u00a0${sentence}\u00a0»`}</Text>}
          </div>
        </li>
      );
    })}
  </Lines>
);

/** The answers of an operation: what a success brings, and when it fails. */
export function Answers({ operation, components }: { operation: Operation; components: Components }) {
  const failures = operation.answers.filter(isError);
  return (
    <>
      <Stack component="section" gap={12} aria-labelledby="answers">
        <h3 id="answers">Réponses</h3>
        {operation.answers
          .filter((line) => !isError(line))
          .map((line) => (
            <Success key={line.status} {...line} components={components} />
          ))}
      </Stack>
      {failures.length > 0 && (
        <Stack component="section" gap={4} aria-labelledby="failures">
          <h3 id="failures">Erreurs</h3>
          <Failures answers={failures} />
        </Stack>
      )}
    </>
  );
}

import { Link } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';

/** The address of the page of a job or a batch. */
export const toJob = (id: string) => ({ to: '/tasks/$jobId', params: { jobId: id } }) as const;

type Props = Omit<ComponentProps<'a'>, 'id' | 'href' | 'ref'> & { id: string; children: ReactNode };

export const JobLink = ({ id, ...rest }: Props) => <Link {...toJob(id)} {...rest} />;

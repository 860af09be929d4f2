import { describe, expect, it } from 'vitest';
import type { ApiError } from '../../kit/query/api-error';
import { loginSentence } from './failure';

const apiError = (error: Partial<ApiError>): ApiError => ({
  kind: 'http',
  status: 401,
  path: 'POST /api/auth/login',
  ...error,
});

describe('the sentence of a failed login', () => {
  it.each<[string, Partial<ApiError>]>([
    ['Erreur de connexion.', { kind: 'network', status: 0 }],
    ['Identifiants invalides.', { detail: 'Identifiants invalides.' }],
    ['Compte suspendu.', { status: 403, detail: { message: 'Compte suspendu.' } }],
    ['Login failed', {}],
    ['Login failed', { status: 502, detail: '  ' }],
    ['Token manquant', { kind: 'shape', status: 200, fields: ['access_token', 'user'] }],
    ['Token manquant', { kind: 'shape', status: 200, fields: [''] }],
    ['Login failed', { kind: 'shape', status: 200, fields: ['user.email'] }],
  ])('is "%s"', (sentence, error) => {
    expect(loginSentence(apiError(error), 'first')).toBe(sentence);
  });
});

it('has no dot when the network fails at the second step', () => {
  expect(loginSentence(apiError({ kind: 'network', status: 0 }), 'second')).toBe('Erreur de connexion');
});

import {
  disableTwoFactor,
  readTwoFactor,
  renewRecoveryCodes,
  setUpTwoFactor,
  verifyTwoFactor,
} from '@vigie/contracts/two-factor';
import { api } from '../../kit/query/api';
import type { ApiError } from '../../kit/query/api-error';
import { changesOnSuccess, mutationOf, queryOf } from '../../kit/query/endpoints';
import { failureReason } from '../../kit/query/failures';

export const invalidCode = 'Code invalide';

const failedOr = (fallback: string) => (error: ApiError) =>
  failureReason(error, error.kind === 'network' ? 'Erreur de connexion' : fallback);

export const twoFactorApi = api.injectEndpoints({
  endpoints: (build) => ({
    readTwoFactor: build.query(queryOf(readTwoFactor)),
    setUpTwoFactor: build.mutation(mutationOf(setUpTwoFactor, failedOr('Erreur lors de la génération du QR code'))),
    verifyTwoFactor: build.mutation({
      ...mutationOf(verifyTwoFactor, (error) =>
        // After a lost answer, this may mean that the second factor is enabled.
        error.status === 409 ? undefined : failedOr(invalidCode)(error),
      ),
      invalidatesTags: changesOnSuccess(verifyTwoFactor),
    }),
    disableTwoFactor: build.mutation({
      ...mutationOf(disableTwoFactor, failedOr('Mot de passe incorrect')),
      invalidatesTags: changesOnSuccess(disableTwoFactor),
    }),
    disableInProfile: build.mutation({
      ...mutationOf(disableTwoFactor, 'Échec de la désactivation 2FA'),
      invalidatesTags: changesOnSuccess(disableTwoFactor),
    }),
    renewBackupCodes: build.mutation({
      ...mutationOf(renewRecoveryCodes, failedOr('Mot de passe incorrect')),
      invalidatesTags: changesOnSuccess(renewRecoveryCodes),
    }),
  }),
});

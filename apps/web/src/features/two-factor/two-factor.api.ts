import {
  disableTwoFactor,
  readTwoFactor,
  renewRecoveryCodes,
  setUpTwoFactor,
  verifyTwoFactor,
} from '@vigie/contracts/two-factor';
import { api } from '../../kit/query/api';
import { changesOnSuccess, mutationOf, queryOf } from '../../kit/query/endpoints';

export const twoFactorApi = api.injectEndpoints({
  endpoints: (build) => ({
    readTwoFactor: build.query(queryOf(readTwoFactor)),
    setUpTwoFactor: build.mutation(mutationOf(setUpTwoFactor)),
    verifyTwoFactor: build.mutation({
      ...mutationOf(verifyTwoFactor),
      invalidatesTags: changesOnSuccess(verifyTwoFactor),
    }),
    disableTwoFactor: build.mutation({
      ...mutationOf(disableTwoFactor),
      invalidatesTags: changesOnSuccess(disableTwoFactor),
    }),
    renewBackupCodes: build.mutation({
      ...mutationOf(renewRecoveryCodes),
      invalidatesTags: changesOnSuccess(renewRecoveryCodes),
    }),
  }),
});

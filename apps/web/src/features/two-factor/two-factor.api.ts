import {
  disableTwoFactor,
  readTwoFactor,
  renewRecoveryCodes,
  setUpTwoFactor,
  verifyTwoFactor,
} from '@vigie/contracts/two-factor';
import { api } from '../../app/api';
import { mutationOf, queryOf } from '../../app/endpoints';

/** A wrong code or password changes nothing. */
const changesOf = (result: object | undefined) => (result ? verifyTwoFactor.changes : []);

export const twoFactorApi = api.injectEndpoints({
  endpoints: (build) => ({
    readTwoFactor: build.query(queryOf(readTwoFactor)),
    setUpTwoFactor: build.mutation(mutationOf(setUpTwoFactor)),
    verifyTwoFactor: build.mutation({ ...mutationOf(verifyTwoFactor), invalidatesTags: changesOf }),
    disableTwoFactor: build.mutation({ ...mutationOf(disableTwoFactor), invalidatesTags: changesOf }),
    renewBackupCodes: build.mutation({ ...mutationOf(renewRecoveryCodes), invalidatesTags: changesOf }),
  }),
});

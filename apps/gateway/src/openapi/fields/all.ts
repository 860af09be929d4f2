import type { Fields } from '../glossary';
import { accountFields } from './accounts';
import { channelFields } from './channels';
import { checkRuleFields } from './check-rules';
import { commonFields } from './common';
import { dnsFields } from './dns';
import { incidentFields } from './incidents';
import { meanings } from './meanings';
import { passkeyFields } from './passkeys';
import { siteFields } from './sites';
import { statusPageFields } from './status-pages';
import { workFields } from './work';

/** The whole glossary. */
export const fields: Fields = {
  ...commonFields,
  ...siteFields,
  ...workFields,
  ...dnsFields,
  ...accountFields,
  ...passkeyFields,
  ...incidentFields,
  ...channelFields,
  ...statusPageFields,
  ...checkRuleFields,
  ...meanings,
};

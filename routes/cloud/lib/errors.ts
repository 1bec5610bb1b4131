import { defineError } from '../../../schemas/errors.js'

export { AccountUnusable, CloudAccountNotFound, awsErrors } from '../../../schemas/cloud/errors.js'

export const CloudAccountNameTaken = defineError('cloud_account_name_taken', 'Another cloud account has this name', 409)
export const CloudAccountInUse = defineError('cloud_account_in_use', 'Apps or deployments use this cloud account', 409)
export const RegionUnknown = defineError('region_unknown',
  'AWS has no such region, or the regions do not fit together', 422)
export const CloudAccountMismatch = defineError('cloud_account_mismatch',
  'The credentials belong to another AWS account', 409)
export const CostRangeInvalid = defineError('cost_range_invalid', 'The range of days cannot be asked for', 422)
export const CostBudgetExhausted = defineError('cost_budget_exhausted',
  'The daily number of paid requests for costs is used up', 429)
export const CostDataUnavailable = defineError('cost_data_unavailable', 'AWS has no cost data for this yet', 409)

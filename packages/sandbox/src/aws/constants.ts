/** The account that a newcomer sees. */
export const SANDBOX_ACCOUNT_ID = '123456789012'
/** A second account: reachable only through AssumeRole. */
export const SANDBOX_SECOND_ACCOUNT_ID = '210987654321'
export const SANDBOX_ROLE_ARN = `arn:aws:iam::${SANDBOX_SECOND_ACCOUNT_ID}:role/StewardAccess`
export const SANDBOX_REGIONS = ['eu-west-1', 'us-east-1'] as const

/** Not secrets: they give access only to a sandbox on loopback. */
export const SANDBOX_CREDENTIALS = {
  accessKeyId: 'AKIASANDBOX0000000000',
  secretAccessKey: 'sandbox-secret'
} as const

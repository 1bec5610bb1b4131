import { Type } from '@sinclair/typebox'

const printable = '^[\\x21-\\x7e]+$'

const optional = (pattern: string, description: string) => Type.Optional(Type.String({ pattern, description }))

/** The part of the environment that says where images are. */
export const objectSettings = {
  S3_BUCKET: optional('^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$',
    'the bucket where images of texts are kept, instead of in the database'),
  S3_REGION: Type.String({
    default: 'us-east-1', pattern: '^[a-z0-9-]{1,40}$', description: 'the region of the bucket'
  }),
  S3_ENDPOINT: optional('^https?://[^\\s]+$', 'a store that speaks the protocol of S3 and is not Amazon\'s'),
  S3_ACCESS_KEY_ID: optional(printable, 'the key of the bucket, with `S3_SECRET_ACCESS_KEY`; without it, the ' +
    'credentials that the AWS SDK finds'),
  S3_SECRET_ACCESS_KEY: optional(printable, 'its secret')
}

/** Half a store would fail at its first image. @throws Error that names the variable */
export const checkObjects = (config: Partial<Record<keyof typeof objectSettings, string>>): void => {
  const needs = [['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'], ['S3_SECRET_ACCESS_KEY', 'S3_ACCESS_KEY_ID'],
    ['S3_ENDPOINT', 'S3_BUCKET'], ['S3_ACCESS_KEY_ID', 'S3_BUCKET']] as const
  const half = needs.find(([name, other]) => config[name] && !config[other])
  if (half) throw new Error(`Environment variable ${half[0]} needs ${half[1]} as well`)
}

import { AnthropicBedrock } from '@anthropic-ai/bedrock-sdk'
import {
  createCredentialChain, fromEnv, fromNodeProviderChain, fromTemporaryCredentials
} from '@aws-sdk/credential-providers'
import { fieldsOf, textIn } from '../../../schemas/unknown.js'
import { HeldKeys } from '../../aws/credentials.js'
import { noCredentials, noRole } from './errors.js'
import { common, type CloudOptions, type Road } from './send.js'

const findOwn = () => createCredentialChain(fromEnv(), fromNodeProviderChain())

const makeChain = ({ region, role }: CloudOptions) => role === undefined
  ? findOwn()
  : new HeldKeys(fromTemporaryCredentials({
    masterCredentials: findOwn(),
    params: { RoleArn: role.arn, ExternalId: role.externalId, RoleSessionName: 'steward-model' },
    clientConfig: { region, ...(role.endpoint !== undefined && { endpoint: role.endpoint }) }
  })).get

/** Faults of the way to credentials may pass; that there are none, or that they are refused, does not. */
const isFinal = (error: unknown): boolean => {
  const { httpStatusCode: status } = fieldsOf(fieldsOf(error).$metadata)
  if (typeof status === 'number') return status < 500 && status !== 429
  return fieldsOf(error).name === 'CredentialsProviderError'
}

/**
 * Amazon Bedrock: requests are signed by AWS's own chain of credentials, or carry a key of Bedrock. The credentials of
 * cloud accounts are never in it; a role that is named is assumed by them.
 */
export const bedrockRoad = (options: CloudOptions, fetch: typeof globalThis.fetch): Road => {
  const { baseURL, region } = options
  // Made once: the chain holds what it has found until that expires.
  let chain = makeChain(options)
  const find = async () => {
    try {
      return await chain()
    } catch (error) {
      if (!isFinal(error)) throw error
      throw options.role ? noRole() : noCredentials('AWS')
    }
  }
  return {
    clientFor: (apiKey) => new AnthropicBedrock({
      ...common,
      fetch,
      awsRegion: region,
      baseURL: baseURL ?? `https://bedrock-runtime.${region}.amazonaws.com`,
      // Null: the client would look into the environment itself.
      apiKey: apiKey ?? null,
      providerChainResolver: async () => find
    }),
    hasExpired: ({ status, error }) => status === 403 && /\bexpired\b/i.test(textIn(error, 'message') ?? ''),
    renew: () => { chain = makeChain(options) }
  }
}

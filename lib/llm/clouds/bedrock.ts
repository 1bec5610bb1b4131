import { AnthropicBedrock } from '@anthropic-ai/bedrock-sdk'
import { createCredentialChain, fromEnv, fromNodeProviderChain } from '@aws-sdk/credential-providers'
import { fieldsOf, textIn } from '../../../schemas/unknown.js'
import { noCredentials } from './errors.js'
import { common, type CloudOptions, type Road } from './road.js'

const makeChain = () => createCredentialChain(fromEnv(), fromNodeProviderChain())

/** Faults of the way to credentials may pass; that there are none, or that they are refused, does not. */
const isFinal = (error: unknown): boolean => {
  const { httpStatusCode: status } = fieldsOf(fieldsOf(error).$metadata)
  if (typeof status === 'number') return status < 500 && status !== 429
  return fieldsOf(error).name === 'CredentialsProviderError'
}

/**
 * Amazon Bedrock: requests are signed by AWS's own chain of credentials, or carry a key of Bedrock. The credentials of
 * cloud accounts are never in it.
 */
export const bedrockRoad = ({ baseURL, region }: CloudOptions, fetch: typeof globalThis.fetch): Road => {
  // Made once: the chain holds what it has found until that expires.
  let chain = makeChain()
  const find = async () => {
    try {
      return await chain()
    } catch (error) {
      throw isFinal(error) ? noCredentials('AWS') : error
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
    renew: () => { chain = makeChain() }
  }
}

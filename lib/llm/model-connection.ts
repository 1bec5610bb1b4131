import { Value } from '@sinclair/typebox/value'
import { Type } from '@sinclair/typebox'
import { StoredModelConnection } from '../../schemas/account/model-connection.js'
import type { ProviderOptions } from './load-provider.js'
import { standardURL, type ModelProvider } from './read-provider.js'

/** How a model is asked, as a person has described it. */
export type ConnectionParts = Omit<StoredModelConnection, 'connected_at' | 'connected_by'>

/** @returns what a workspace has stored; undefined = it cannot be read, such as what a later release wrote */
export const readConnection = (text: string): StoredModelConnection | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return Value.Check(StoredModelConnection, value) ? value : undefined
  } catch {
    return undefined
  }
}

/** What is read of the key of a service account: nothing else of the file says where Google is asked, or how. */
const ServiceAccount = Type.Object({ client_email: Type.String(), private_key: Type.String({ pattern: 'PRIVATE KEY' }) })

/** @returns what the key of a service account holds; undefined = it is none */
export const readServiceAccount = (text: string): { client_email: string, private_key: string } | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    if (!Value.Check(ServiceAccount, value)) return undefined
    return { client_email: value.client_email, private_key: value.private_key }
  } catch {
    return undefined
  }
}

/** By which AWS knows that a workspace asks: no other one can name it. */
export const externalIdOf = (workspaceId: string): string => `steward-${workspaceId}`

const cloudOf = (kind: 'bedrock' | 'vertex', parts: ConnectionParts, workspaceId: string, endpoint: string | undefined):
ProviderOptions => ({
  kind,
  baseURL: parts.address,
  region: parts.region ?? '',
  project: parts.project ?? '',
  role: parts.role_arn === undefined
    ? undefined
    : { arn: parts.role_arn, externalId: externalIdOf(workspaceId), endpoint },
  serviceAccount: kind === 'vertex' && parts.api_key !== undefined ? readServiceAccount(parts.api_key) : undefined
})

/** @param endpoint where AWS is asked, unless at its own addresses */
export const toModelProvider = (parts: ConnectionParts, workspaceId: string, endpoint: string | undefined):
ModelProvider => {
  const { provider, address, api_key: key } = parts
  if (provider === 'bedrock' || provider === 'vertex') {
    const options = cloudOf(provider, parts, workspaceId, endpoint)
    return { options, apiKey: provider === 'bedrock' ? key : undefined, isOriginal: false }
  }
  const options: ProviderOptions = { kind: 'anthropic', baseURL: address ?? standardURL }
  return { options, apiKey: key, isOriginal: address === undefined }
}

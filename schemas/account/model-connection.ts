import { Type, type Static } from '@sinclair/typebox'
import { Money, Nullable } from '../common.js'
import { defineError } from '../errors.js'

const Name = Type.String({
  pattern: '^[\\w.:/@-]{1,100}$',
  examples: ['claude-sonnet-5'],
  description: 'The model that is asked, as its provider names it'
})

const Price = Type.Object({
  input: Type.Number({ minimum: 0, maximum: 10_000, description: 'US dollars per million tokens' }),
  output: Type.Number({ minimum: 0, maximum: 10_000, description: 'US dollars per million tokens' })
}, {
  $id: 'ConnectedModelPrice',
  additionalProperties: false,
  description: 'What the model costs; needed where the price is not on the provider\'s list, and 0 for a model of your own'
})

const Provider = Type.Union([
  Type.Literal('anthropic'), Type.Literal('bedrock'), Type.Literal('vertex'), Type.Literal('compatible')
], { description: 'compatible = another server of the Messages API, at `address`' })

const parts = {
  provider: Provider,
  model: Name,
  address: Type.Optional(Type.String({
    pattern: '^https?://[^\\s?#]+$',
    examples: ['https://models.example.com'],
    maxLength: 500,
    description: 'Where the Messages API is, or another address of Bedrock or Vertex. It is a public one, unless ' +
      'OUTBOUND_ALLOW names its host'
  })),
  region: Type.Optional(Type.String({
    pattern: '^[a-z][a-z0-9-]{1,40}$',
    examples: ['eu-west-1'],
    description: 'Of Bedrock, such as eu-west-1, or of Vertex, such as us-east5 or global'
  })),
  project: Type.Optional(Type.String({
    pattern: '^[a-z][a-z0-9:.-]{1,100}$',
    examples: ['my-project'],
    description: 'Of Google Cloud, which asks Vertex and pays'
  })),
  role_arn: Type.Optional(Type.String({
    pattern: '^arn:aws(-[a-z]+)*:iam::[0-9]{12}:role/[\\w+=,.@/-]{1,512}$',
    examples: ['arn:aws:iam::123456789012:role/steward'],
    maxLength: 600,
    description: 'The role of AWS that asks Bedrock, instead of a key. Its trust policy names the identity that ' +
      'Steward runs as, and `external_id` as the ExternalId'
  })),
  price: Type.Optional(Price)
}

/** What is stored, encrypted as a whole. */
export const StoredModelConnection = Type.Object({
  ...parts,
  api_key: Type.Optional(Type.String()),
  connected_at: Type.String(),
  connected_by: Type.String()
}, { additionalProperties: false })
export type StoredModelConnection = Static<typeof StoredModelConnection>

export const ConnectModel = Type.Object({
  ...parts,
  api_key: Type.Optional(Type.String({
    minLength: 1,
    maxLength: 10_000,
    description: 'An API key, a key of Bedrock, or for Vertex the key of a service account as JSON. It is stored ' +
      'encrypted and never shown. Without it the stored one stays, where provider and address stay'
  }))
}, { $id: 'ConnectModel', additionalProperties: false })
export type ConnectModel = Static<typeof ConnectModel>

export const ModelConnection = Type.Object({
  answers: Type.Union([Type.Literal('model'), Type.Literal('guided'), Type.Literal('nothing')], {
    description: 'guided = no model is connected, and the sandbox answers with fixed conversations'
  }),
  source: Nullable(Type.Union([Type.Literal('environment'), Type.Literal('workspace')], {
    description: 'environment = variables of the process connect the model, and win over what is stored'
  })),
  provider: Nullable(Provider),
  model: Nullable(Type.String()),
  price: Nullable(Price),
  external_id: Type.String({ description: 'What the trust policy of a role of AWS demands, so that only this workspace uses it' }),
  stored: Nullable(Type.Object({
    ...parts,
    has_api_key: Type.Boolean(),
    connected_at: Type.String({ format: 'date-time' })
  }, { $id: 'StoredModel', description: 'For admins: what was connected here' }))
}, { $id: 'ModelConnection' })
export type ModelConnection = Static<typeof ModelConnection>

export const ModelTest = Type.Object({
  model: Type.String({ description: 'The model that answered, as it names itself' }),
  reply: Type.String(),
  took_ms: Type.Integer(),
  input_tokens: Type.Integer(),
  output_tokens: Type.Integer(),
  cost: Money,
  price: Price
}, { $id: 'ModelTest', description: 'What the model answered, how long it took, and what it cost' })
export type ModelTest = Static<typeof ModelTest>

export const ModelByEnvironment = defineError('model_by_environment',
  'Environment variables of the process connect the model, and win over this', 409)
export const ModelConnectionInvalid = defineError('model_connection_invalid', 'This does not describe a model', 422)
export const ModelAddressPrivate = defineError('model_address_private',
  'The address is not a public one', 422)
export const ModelUnreachable = defineError('model_unreachable', 'Nothing answers at this address', 422)
export const ModelApiMissing = defineError('model_api_missing', 'There is no Messages API at this address', 422)
export const ModelKeyRefused = defineError('model_key_refused', 'The provider refused the key', 422)
export const ModelUnknown = defineError('model_unknown', 'The provider does not know this model', 422)
export const ModelRefused = defineError('model_refused', 'The model refused the request', 422)
export const ModelSpent = defineError('model_spend_limit', 'The spend limit at the provider is reached', 422)
export const ModelBusy = defineError('model_busy', 'The model is busy, or limits requests: try again in a minute', 503)
export const ModelFailed = defineError('model_failed', 'The provider failed: try again', 502)

/** Why a model that was described did not answer. */
export const modelTestErrors = [ModelConnectionInvalid, ModelAddressPrivate, ModelUnreachable, ModelApiMissing,
  ModelKeyRefused, ModelUnknown, ModelRefused, ModelSpent, ModelBusy, ModelFailed]

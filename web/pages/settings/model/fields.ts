import type { Schemas } from '../../../api/client'

export type Connection = Schemas['ModelConnection']
export type Described = Schemas['ConnectModel']

/** What is typed; empty = not said. */
export interface Fields extends Record<'model' | 'address' | 'region' | 'project' | 'role_arn' | 'api_key' | 'input' | 'output', string> {
  provider: Described['provider']
  /** How Bedrock is asked. */
  by: 'key' | 'role'
}

const number = (value: number | undefined): string => value === undefined ? '' : String(value)

export const fieldsOf = ({ stored }: Connection): Fields => ({
  provider: stored?.provider ?? 'anthropic',
  by: stored?.role_arn === undefined ? 'key' : 'role',
  model: stored?.model ?? 'claude-sonnet-5-5',
  address: stored?.address ?? '',
  region: stored?.region ?? '',
  project: stored?.project ?? '',
  role_arn: stored?.role_arn ?? '',
  api_key: '',
  input: number(stored?.price?.input),
  output: number(stored?.price?.output)
})

/** Which fields describe a model of the provider. */
const parts = {
  anthropic: ['api_key'],
  bedrock: ['region', 'api_key', 'role_arn', 'address'],
  vertex: ['region', 'project', 'api_key', 'address'],
  compatible: ['address', 'api_key']
} as const

export const has = ({ provider, by }: Fields, name: 'address' | 'region' | 'project' | 'role_arn' | 'api_key'): boolean => {
  const names: readonly string[] = parts[provider]
  const isOther = provider === 'bedrock' && name === (by === 'key' ? 'role_arn' : 'api_key')
  return names.includes(name) && !isOther
}

export const bodyOf = (fields: Fields): Described => {
  const { provider, model, input, output } = fields
  const named = (['address', 'region', 'project', 'role_arn', 'api_key'] as const)
    .filter((name) => has(fields, name) && fields[name].trim() !== '')
    .map((name) => [name, fields[name].trim()])
  const price = input === '' || output === '' ? undefined : { input: Number(input), output: Number(output) }
  return { provider, model: model.trim(), ...Object.fromEntries(named), ...(price && { price }) }
}

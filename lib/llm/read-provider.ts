import type { ProviderOptions } from './load-provider.js'

export const providerKinds = ['anthropic', 'bedrock', 'vertex'] as const

/** What the environment says of the model's provider. */
export interface ProviderSettings {
  MODEL_PROVIDER: ProviderOptions['kind']
  ANTHROPIC_API_KEY?: string
  ANTHROPIC_BASE_URL?: string
  ANTHROPIC_MODEL?: string
  ANTHROPIC_TOOL_SEARCH: string
  AWS_REGION?: string
  AWS_BEARER_TOKEN_BEDROCK?: string
  CLOUD_ML_REGION?: string
  ANTHROPIC_VERTEX_PROJECT_ID?: string
}

/** Who is asked, and with which key; a cloud may be asked without one. */
export interface ModelProvider {
  options: ProviderOptions
  apiKey: string | undefined
  /** It is the provider of the Messages API itself: other servers do not take all of it. */
  isOriginal: boolean
}

const wrong = (name: string, what: string) => new Error(`Environment variable ${name}${what}`)

/** A name that the cloud does not know would be found by the first chat only. */
const needed = {
  anthropic: [],
  bedrock: ['AWS_REGION', 'ANTHROPIC_MODEL'],
  vertex: ['CLOUD_ML_REGION', 'ANTHROPIC_VERTEX_PROJECT_ID', 'ANTHROPIC_MODEL']
} as const

const names = { AWS_REGION: /^[a-z]{2}(-[a-z]+)+-\d$/, CLOUD_ML_REGION: /^[a-z][a-z0-9-]{1,40}$/ }

const check = (settings: ProviderSettings): void => {
  const { MODEL_PROVIDER: kind } = settings
  if (kind === 'anthropic') return
  for (const name of needed[kind]) {
    if (!settings[name]) throw wrong('MODEL_PROVIDER', `: ${kind} needs ${name} as well`)
  }
  if (settings.ANTHROPIC_API_KEY) throw wrong('ANTHROPIC_API_KEY', ` is no key for MODEL_PROVIDER=${kind}; remove one`)
  if (settings.ANTHROPIC_TOOL_SEARCH === 'server') {
    throw wrong('ANTHROPIC_TOOL_SEARCH', `: server is not for MODEL_PROVIDER=${kind}, where Steward searches`)
  }
  const region = kind === 'bedrock' ? 'AWS_REGION' : 'CLOUD_ML_REGION'
  if (!names[region].test(settings[region] ?? '')) throw wrong(region, ' is no name of a region')
}

export const standardURL = 'https://api.anthropic.com'

const cloudOf = (settings: ProviderSettings, kind: 'bedrock' | 'vertex'): ModelProvider => {
  const isBedrock = kind === 'bedrock'
  const options = {
    kind,
    baseURL: settings.ANTHROPIC_BASE_URL,
    region: (isBedrock ? settings.AWS_REGION : settings.CLOUD_ML_REGION) ?? '',
    project: settings.ANTHROPIC_VERTEX_PROJECT_ID ?? ''
  }
  return { options, apiKey: isBedrock ? settings.AWS_BEARER_TOKEN_BEDROCK : undefined, isOriginal: false }
}

/**
 * @returns the configured provider; undefined = none is
 * @throws Error with one line that names the variable
 */
export const readProvider = (settings: ProviderSettings): ModelProvider | undefined => {
  check(settings)
  const { MODEL_PROVIDER: kind, ANTHROPIC_API_KEY: apiKey, ANTHROPIC_BASE_URL: baseURL } = settings
  if (kind !== 'anthropic') return cloudOf(settings, kind)
  if (!apiKey && !baseURL) return undefined
  return { options: { kind, baseURL: baseURL ?? standardURL }, apiKey, isOriginal: baseURL === undefined }
}

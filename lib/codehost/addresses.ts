import type { Config } from '../../plugins/config.js'

/** Where the code host is, and what we are to it. No address ends with a slash. */
export interface CodehostAddresses {
  /** What browsers open, and where the OAuth pages are. */
  web: string
  /** The REST API. */
  api: string
  graphql: string
  sandboxed: boolean
  client: { id: string, secret: string } | null
  /** The current webhook secret, then the previous one while rotating. Empty = webhooks are refused. */
  webhookSecrets: string[]
}

const publicWeb = 'https://github.com'
const publicApi = 'https://api.github.com'

/** @returns the address in the one form in which it is compared */
const bare = (text: string): string => {
  const { origin, pathname } = new URL(text)
  return origin + pathname.replace(/(?<!\/)\/+$/, '')
}

const apiOf = (web: string) => web === publicWeb ? publicApi : `${web}/api/v3`

/** An Enterprise Server has GraphQL beside REST, the public API below it. */
const graphqlOf = (api: string) => `${api.replace(/\/v3$/, '')}/graphql`

const secretsOf = (text: string | undefined): string[] =>
  (text ?? '').split(',').map((secret) => secret.trim()).filter((secret) => secret !== '').slice(0, 2)

/** @returns whether the environment names a code host, so that none has to stand in for it */
export const namesCodehost = ({ CODEHOST_URL, CODEHOST_CLIENT_ID }: Config): boolean =>
  Boolean(CODEHOST_URL ?? CODEHOST_CLIENT_ID)

/** @returns the code host that the environment names; undefined when it names none */
export const configuredAddresses = (config: Config): CodehostAddresses | undefined => {
  if (!namesCodehost(config)) return undefined
  const { CODEHOST_CLIENT_ID: id, CODEHOST_CLIENT_SECRET: secret } = config
  const web = bare(config.CODEHOST_URL ?? publicWeb)
  const api = bare(config.CODEHOST_API_URL ?? apiOf(web))
  return {
    web,
    api,
    graphql: graphqlOf(api),
    sandboxed: false,
    client: id && secret ? { id, secret } : null,
    webhookSecrets: secretsOf(config.CODEHOST_WEBHOOK_SECRET)
  }
}

/** What a code host that is played has from the start. */
export interface PlayedCodehost { apiUrl: string, client: { id: string, secret: string } }

/**
 * @param webhookSecret the one that the sandbox signs with; undefined = webhooks are refused
 * @returns the addresses of the sandbox at this URL; its secrets open nothing else
 */
export const sandboxAddresses = (url: string, { apiUrl, client }: PlayedCodehost, webhookSecret?: string):
CodehostAddresses => ({
  web: bare(url),
  api: bare(apiUrl),
  graphql: graphqlOf(bare(apiUrl)),
  sandboxed: true,
  client,
  webhookSecrets: webhookSecret === undefined ? [] : [webhookSecret]
})

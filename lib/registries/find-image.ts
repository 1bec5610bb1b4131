import type { Aws, AwsAccount } from '../aws/account-clients.js'
import type { Outbound } from '../../plugins/outbound.js'
import { findInEcr, type FoundImage } from '../aws/images.js'
import { OutboundError } from '../outbound/errors.js'

export type { FoundImage } from '../aws/images.js'

interface Reference { registry: string, host: string, repository: string, reference: string }

/** Docker's own rule: the part before the first slash is a host if it could be none of a repository's name. */
const isHost = (part: string): boolean => /[.:]/.test(part) || part === 'localhost'

/** @returns where an image is, as Docker reads its name: without a host it is one of Docker Hub */
export const readReference = (image: string): Reference => {
  const [, name = '', tag, digest] = /^(.*?)(?::([^/:@]+))?(?:@(sha256:[0-9a-f]{64}))?$/.exec(image) ?? []
  const [first = '', ...rest] = name.split('/')
  const named = rest.length > 0 && isHost(first)
  const registry = named ? first : 'docker.io'
  const path = named ? rest.join('/') : name
  return {
    registry,
    host: registry === 'docker.io' ? 'registry-1.docker.io' : registry,
    repository: registry === 'docker.io' && !path.includes('/') ? `library/${path}` : path,
    reference: digest ?? tag ?? 'latest'
  }
}

/** Manifests of one platform, and lists of several. */
const accept = ['application/vnd.oci.image.index.v1+json', 'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json', 'application/vnd.docker.distribution.manifest.v2+json']
  .join(', ')

/** @returns the address at which anybody may ask for a token; undefined where the challenge is of another kind */
const tokenUrlOf = (challenge: string | undefined, { repository }: Reference): string | undefined => {
  if (!/^bearer /i.test(challenge ?? '')) return undefined
  const fields = Object.fromEntries([...(challenge ?? '').matchAll(/\b(\w{1,64})="([^"]{0,2000})"/g)].map(([, key, value]) => [key, value]))
  if (fields.realm === undefined || !URL.canParse(fields.realm)) return undefined
  const url = new URL(fields.realm)
  if (fields.service !== undefined) url.searchParams.set('service', fields.service)
  url.searchParams.set('scope', fields.scope ?? `repository:${repository}:pull`)
  return url.href
}

type Ask = Pick<Outbound, 'fetch' | 'allows'>

const readToken = async (outbound: Ask, url: string): Promise<string | undefined> => {
  const { status, body } = await outbound.fetch({ url, maxBytes: 65_536 })
  if (status !== 200) return undefined
  const answer: unknown = JSON.parse(body.toString())
  const { token, access_token: access }: { token?: unknown, access_token?: unknown } = Object(answer)
  return [token, access].find((one) => typeof one === 'string')
}

/** A registry that the operator has named may be one of this machine, without TLS. */
const urlOf = (outbound: Ask, { host, repository, reference }: Reference): string => {
  const path = `${host}/v2/${repository}/manifests/${reference}`
  return `${outbound.allows(`http://${host}`) ? 'http' : 'https'}://${path}`
}

const ask = async (outbound: Ask, place: Reference) => {
  const request = { url: urlOf(outbound, place), method: 'HEAD' as const, headers: { accept } }
  const first = await outbound.fetch(request)
  const tokenUrl = first.status === 401 ? tokenUrlOf(first.headers['www-authenticate'], place) : undefined
  const token = tokenUrl === undefined ? undefined : await readToken(outbound, tokenUrl)
  if (token === undefined) return first
  return outbound.fetch({ ...request, headers: { accept, authorization: `Bearer ${token}` } })
}

const judge = ({ registry, repository, reference }: Reference, status: number, digest: string | undefined): FoundImage => {
  if (status === 200 && digest !== undefined && /^sha256:[0-9a-f]{64}$/.test(digest)) return { state: 'found', digest }
  if (status === 200) return { state: 'silent', why: `${registry} named no digest of ${repository}:${reference}` }
  if (status === 404) return { state: 'missing', why: `${registry} has no ${reference} of ${repository}` }
  if (status === 401 || status === 403) {
    return { state: 'denied', why: `${registry} shows ${repository} to nobody without credentials, and Steward has none for it` }
  }
  return { state: 'silent', why: `${registry} answered with HTTP ${status}` }
}

/** Asks a registry by the API of the distribution specification, as anybody. */
const findElsewhere = async (outbound: Ask, image: string): Promise<FoundImage> => {
  const place = readReference(image)
  try {
    const { status, headers } = await ask(outbound, place)
    return judge(place, status, headers['docker-content-digest'])
  } catch (error) {
    if (error instanceof OutboundError && error.code === 'url_not_allowed') {
      return { state: 'denied', why: `${place.registry} may not be asked from here: ${error.message}` }
    }
    if (error instanceof OutboundError || error instanceof SyntaxError) {
      return { state: 'silent', why: `${place.registry} gave no answer` }
    }
    throw error
  }
}

/** Asks the registry of an image for its digest: ECR with the account that would pull it, another one as anybody. */
export const findImage = async ({ aws, outbound }: { aws: Pick<Aws, 'askRegistry'>, outbound: Ask },
  account: AwsAccount, image: string): Promise<FoundImage> =>
  await findInEcr(aws, account, image) ?? findElsewhere(outbound, image)

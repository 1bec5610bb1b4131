import { SignatureV4 } from '@smithy/signature-v4'
import { textIn } from '../../schemas/unknown.js'
import type { KeySource } from './credentials.js'
import { Sha256 } from './sha256.js'

/** What ECR is asked: all of it reads. */
export type RegistryOperation = 'DescribeImages' | 'DescribePullThroughCacheRules'

export interface RegistrySettings {
  region: string
  partition: string
  endpoint: string | undefined
  credentials: KeySource
}

const timeoutMs = 10_000
const target = 'AmazonEC2ContainerRegistry_V20150921'

const urlOf = ({ region, partition, endpoint }: RegistrySettings): URL =>
  new URL(endpoint ?? `https://api.ecr.${region}.amazonaws.com${partition === 'aws-cn' ? '.cn' : ''}/`)

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    // As the SDK calls what is no JSON, such as a proxy's page.
    throw Object.assign(new Error('The answer is not JSON'), { name: 'SyntaxError' })
  }
}

/** An error as the SDK throws it: the name is AWS's code, without the namespace before it. */
const refusal = (answer: Response, body: unknown): Error => Object.assign(
  new Error(textIn(body, 'message') ?? textIn(body, 'Message') ?? ''),
  { name: textIn(body, '__type')?.split('#').at(-1) ?? 'UnknownError' },
  { $metadata: metadataOf(answer) }
)

const metadataOf = ({ status, headers }: Response) =>
  ({ httpStatusCode: status, requestId: headers.get('x-amzn-requestid') ?? undefined })

/**
 * Asks ECR once. Two operations of its protocol (AWS JSON 1.1) are all that is asked; the SDK's client for it is as
 * large as that of ECS.
 * @throws what the SDK would throw
 */
export const askRegistry = async (settings: RegistrySettings, operation: RegistryOperation,
  input: object): Promise<unknown> => {
  const url = urlOf(settings)
  const { region, credentials } = settings
  const signer = new SignatureV4({ service: 'ecr', region, credentials, sha256: Sha256 })
  const body = JSON.stringify(input)
  const signed = await signer.sign({
    method: 'POST',
    protocol: url.protocol,
    hostname: url.hostname,
    path: url.pathname,
    headers: {
      'host': url.host, 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `${target}.${operation}`
    },
    body
  })
  const { host: _, ...headers } = signed.headers
  const answer = await fetch(url, {
    method: 'POST', headers, body, redirect: 'error', signal: AbortSignal.timeout(timeoutMs)
  // Node says what happened in the cause; the rest of the code looks for it on the error.
  }).catch((error: unknown) => { throw error instanceof TypeError ? error.cause ?? error : error })
  const text = await answer.text()
  if (answer.ok) return parse(text)
  let content: unknown
  try {
    content = parse(text)
  } catch (error) {
    throw Object.assign(error instanceof Error ? error : new Error(), { $metadata: metadataOf(answer) })
  }
  throw refusal(answer, content)
}

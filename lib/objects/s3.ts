import { fromNodeProviderChain } from '@aws-sdk/credential-providers'
import { SignatureV4 } from '@smithy/signature-v4'
import { Sha256 } from '../aws/sha256.js'

const timeoutMs = 15_000

/** Where objects are kept, by the protocol of S3, which other stores speak as well. */
export interface S3Settings {
  bucket: string
  region: string
  /** Of a store that is not Amazon's; its buckets are the first part of the path. */
  endpoint?: string | undefined
  /** Without them, what the AWS SDK finds. */
  credentials?: { accessKeyId: string, secretAccessKey: string } | undefined
}

/** The store refused, or gave no answer. */
export class ObjectError extends Error {
  constructor (readonly status: number | null) {
    super(status === null ? 'the store gave no answer' : `the store answered ${status}`)
  }
}

export interface ObjectStore {
  /** @throws ObjectError */
  put: (key: string, data: Buffer, mediaType: string) => Promise<void>
  /** @returns undefined where there is none. @throws ObjectError */
  read: (key: string) => Promise<Buffer | undefined>
  /** One that is gone already is removed. @throws ObjectError */
  remove: (key: string) => Promise<void>
}

/** @returns the bucket's own host at Amazon, else its path at the endpoint */
const baseOf = ({ bucket, region, endpoint }: S3Settings): string => endpoint === undefined
  ? `https://${bucket}.s3.${region}.amazonaws.com`
  : `${endpoint.replace(/\/$/, '')}/${bucket}`

type Call = (method: 'PUT' | 'GET' | 'DELETE', key: string, body?: Buffer, mediaType?: string) => Promise<Response>

/** @returns what sends a signed request. It throws ObjectError where no answer comes */
const makeCall = (settings: S3Settings): Call => {
  const base = baseOf(settings)
  const signer = new SignatureV4({
    service: 's3',
    region: settings.region,
    credentials: settings.credentials ?? fromNodeProviderChain(),
    sha256: Sha256,
    uriEscapePath: false
  })
  return async (method, key, body, mediaType) => {
    const url = new URL(`${base}/${key}`)
    const signed = await signer.sign({
      method,
      protocol: url.protocol,
      hostname: url.hostname,
      path: url.pathname,
      headers: { host: url.host, ...(mediaType !== undefined && { 'content-type': mediaType }) },
      ...(body && { body })
    })
    const { host: _, ...headers } = signed.headers
    const sent = { method, headers, ...(body && { body: new Uint8Array(body) }) }
    return fetch(url, { ...sent, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
      .catch(() => { throw new ObjectError(null) })
  }
}

/** A client of the three operations that images need; keys have letters, digits, hyphens and slashes alone. */
export const openS3 = (settings: S3Settings): ObjectStore => {
  const call = makeCall(settings)
  return {
    async put (key, data, mediaType) {
      const answer = await call('PUT', key, data, mediaType)
      await answer.body?.cancel()
      if (!answer.ok) throw new ObjectError(answer.status)
    },
    async read (key) {
      const answer = await call('GET', key)
      if (answer.ok) return Buffer.from(await answer.arrayBuffer().catch(() => { throw new ObjectError(null) }))
      await answer.body?.cancel()
      if (answer.status === 404) return undefined
      throw new ObjectError(answer.status)
    },
    async remove (key) {
      const answer = await call('DELETE', key)
      await answer.body?.cancel()
      if (!answer.ok && answer.status !== 404) throw new ObjectError(answer.status)
    }
  }
}

import { isUtf8 } from 'node:buffer'
import { verify } from '@octokit/webhooks-methods'
import { MalformedJson } from '../../../schemas/errors.js'
import { WebhookSignatureInvalid } from './errors.js'

const signature = /^sha256=[0-9a-f]{64}$/

/** @returns whether the header can be a signature at all; only SHA-256 counts */
export const isSignature = (header: unknown): header is string => typeof header === 'string' && signature.test(header)

/**
 * @param secrets the current one, then the previous one while rotating
 * @returns the secret that signed the bytes
 * @throws webhook_signature_invalid; malformed_json for bytes that are not UTF-8, which decoding would change
 */
export const findSigner = async (secrets: string[], body: Buffer, header: unknown): Promise<string> => {
  if (!isSignature(header) || body.length === 0) throw WebhookSignatureInvalid()
  if (!isUtf8(body)) throw MalformedJson('The body is not UTF-8')
  const text = body.toString('utf8')
  for (const secret of secrets) if (await verify(secret, text, header)) return secret
  throw WebhookSignatureInvalid()
}

import { verify } from '@octokit/webhooks-methods'
import { decodeUtf8 } from '../../../../lib/http/utf8.js'
import { WebhookSignatureInvalid } from '../errors.js'

const signature = /^sha256=[0-9a-f]{64}$/

/** @returns whether the header can be a signature at all; only SHA-256 counts */
export const isSignature = (header: unknown): header is string => typeof header === 'string' && signature.test(header)

/**
 * @param secrets the current one, then the previous one while rotating
 * @returns the secret that signed the bytes
 * @throws webhook_signature_invalid; not_utf8 for bytes that are not UTF-8, which decoding would change
 */
export const findSigner = async (secrets: string[], body: Buffer, header: unknown): Promise<string> => {
  if (!isSignature(header) || body.length === 0) throw WebhookSignatureInvalid()
  const text = decodeUtf8(body)
  for (const secret of secrets) if (await verify(secret, text, header)) return secret
  throw WebhookSignatureInvalid()
}

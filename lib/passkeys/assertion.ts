import { createHash, createPublicKey, verify } from 'node:crypto'
import type { Statement } from '../../schemas/account/passkeys.js'
import { digestOf } from '../record/entry.js'

/** @returns the challenge that a passkey signs for the statement */
export const challengeOf = (statement: Statement): string =>
  Buffer.from(digestOf(statement), 'hex').toString('base64url')

/** A signature of a passkey, as its authenticator gave it: each in base64url. */
export interface Assertion {
  credential_id: string
  authenticator_data: string
  client_data_json: string
  signature: string
}

/** What stands in an assertion, before anything of it is believed. */
export interface ReadAssertion {
  type: unknown
  challenge: unknown
  origin: unknown
  crossOrigin: boolean
  rpIdHash: string
  isPresent: boolean
  isVerified: boolean
  counter: number
}

const bytesOf = (text: string): Buffer => Buffer.from(text, 'base64url')

const present = 0x01
const verified = 0x04
/** The hash of the relying party, flags and counter; extensions may follow. */
const shortest = 37

const parseClientData = (text: string): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(bytesOf(text).toString('utf8'))
    // Each member is compared with what it must be.
    return typeof value === 'object' && value !== null ? value as Record<string, unknown> : undefined
  } catch {
    return undefined
  }
}

/** @returns undefined for what is no assertion */
export const readAssertion = ({ authenticator_data, client_data_json }: Assertion): ReadAssertion | undefined => {
  const data = bytesOf(authenticator_data)
  const client = parseClientData(client_data_json)
  const flags = data[32]
  if (!client || flags === undefined || data.length < shortest) return undefined
  return {
    type: client.type,
    challenge: client.challenge,
    origin: client.origin,
    crossOrigin: client.crossOrigin === true || client.topOrigin !== undefined,
    rpIdHash: data.subarray(0, 32).toString('hex'),
    isPresent: (flags & present) !== 0,
    isVerified: (flags & verified) !== 0,
    counter: data.readUInt32BE(33)
  }
}

/** What an assertion must be of. */
export interface Expected { challenge: string, origin: string, rp_id: string }

/** @returns what is wrong with an assertion, its signature aside, as a word and in words */
export const findMismatch = (read: ReadAssertion, { challenge, origin, rp_id }: Expected):
{ code: string, message: string } | undefined => {
  const wrong = (code: string, message: string) => ({ code, message })
  if (read.type !== 'webauthn.get') return wrong('type', 'is no assertion')
  if (read.challenge !== challenge) return wrong('challenge', 'signs another challenge')
  if (read.origin !== origin || read.crossOrigin) return wrong('origin', 'was made at another address')
  const expected = createHash('sha256').update(rp_id).digest('hex')
  if (read.rpIdHash !== expected) return wrong('rp_id', 'is of another relying party')
  if (!read.isPresent || !read.isVerified) return wrong('user_verification', 'was made without verifying the person')
  return undefined
}

/** COSE's numbers of what we take: ES256, EdDSA with Ed25519, RS256. */
export const algorithms = [-7, -8, -257]

/**
 * @param publicKey SPKI in DER, base64url
 * @returns whether the key made the signature; false for a key that is none
 */
export const isSignedByKey = (assertion: Assertion, publicKey: string, algorithm: number): boolean => {
  if (!algorithms.includes(algorithm)) return false
  const hash = createHash('sha256').update(bytesOf(assertion.client_data_json)).digest()
  const signed = Buffer.concat([bytesOf(assertion.authenticator_data), hash])
  try {
    const key = createPublicKey({ key: bytesOf(publicKey), format: 'der', type: 'spki' })
    return verify(algorithm === -8 ? null : 'sha256', signed, key, bytesOf(assertion.signature))
  } catch {
    return false
  }
}

import { AwsError } from '../core/errors.js'
import type { Credential, World } from '../core/world.js'
import type { WireRequest } from '../../wire.js'
import { isSignedWith, type Signature } from '../../signature-v4.js'

const MISMATCH = 'The request signature we calculated does not match the signature you provided. ' +
  'Check your AWS Secret Access Key and signing method. Consult the service documentation for details.'

/** The signer of the request, or AWS's refusal. */
export function identify (world: World, request: WireRequest, signature: Signature): Credential {
  const credential = world.credentials.get(signature.accessKeyId)
  const token = request.headers['x-amz-security-token']
  if (!credential || credential.sessionToken !== token) throw unknownToken()
  if (!isSignedWith(credential.secretAccessKey, request, signature)) {
    throw new AwsError('InvalidSignatureException', MISMATCH)
  }
  if (credential.expiresAt !== undefined && credential.expiresAt <= world.clock.now()) throw expiredToken()
  return credential
}

/** The token was valid earlier. */
export function expiredToken (): AwsError {
  return new AwsError('ExpiredTokenException', 'The security token included in the request is expired')
}

function unknownToken (): AwsError {
  return new AwsError('UnrecognizedClientException', 'The security token included in the request is invalid.')
}

import { api, body, type Schemas } from '../api/client'
import { problemOf } from '../api/problem'
import { signWith } from './authenticator'

interface Question { id: string, requirement?: { signed?: boolean } | undefined }

type Sign = (id: string, input_digest: string) => Promise<Schemas['PasskeySignature']>

const of = (confirmation_id: string, input_digest: string) =>
  ({ params: { path: { confirmation_id } }, body: { input_digest } })

const sign: Sign = async (id, digest) =>
  signWith(await body(api.POST('/api/v1/agent/confirmations/{confirmation_id}/signature', of(id, digest))))

/** One signature for all steps in their order. */
const signSteps: Sign = async (id, digest) =>
  signWith(await body(api.POST('/api/v1/agent/confirmations/{confirmation_id}/steps/signature', of(id, digest))))

interface Decided { approved: boolean, input_digest: string }

type Signature = Schemas['PasskeySignature'] | undefined

type Send<T> = (signature: Signature) => Promise<T>

const consentBy = (signer: Sign) =>
  async <T>({ id, requirement }: Question, decision: Decided, send: Send<T>): Promise<T> => {
    const isKnown = decision.approved && requirement?.signed === true
    if (isKnown) return send(await signer(id, decision.input_digest))
    try {
      return await send(undefined)
    } catch (error) {
      if (problemOf(error).code !== 'consent_signature_required') throw error
      return send(await signer(id, decision.input_digest))
    }
  }

/**
 * Sends a decision; an approval that needs a signature has the plan on the screen signed first. A rule that came since
 * says so in the answer.
 */
export const withConsent = consentBy(sign)

/** The same for a plan of steps. */
export const withStepsConsent = consentBy(signSteps)

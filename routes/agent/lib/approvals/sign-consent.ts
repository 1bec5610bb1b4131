import type { Question } from '../../../../db/agent/questions.js'
import type { ShownPlan } from '../../../../db/agent/tables.js'
import type { Db } from '../../../../db/index.js'
import { offerSignature, type RelyingParty } from '../../../../lib/passkeys/challenges.js'
import { takeSignature, type Signed } from '../../../../lib/passkeys/take-signature.js'
import { digestOf } from '../../../../lib/record/entry.js'
import { fitBody } from '../../../../lib/record/fit-body.js'
import type { Principal } from '../../../../lib/security/principal.js'
import { isSameJson } from '../../../../lib/tools/digest.js'
import type { PasskeySignature, SignatureOptions, SignedPlan } from '../../../../schemas/account/passkeys.js'
import type { Requirement } from '../../../../schemas/agent/requirements.js'
import { ConfirmationClosed, ConsentSignatureRequired, StalePreview } from '../errors.js'
import type { Steps } from '../plans/plan-steps.js'
import { toShown } from '../plans/recheck-plan.js'
import type { Deps } from '../run/run-state.js'
import type { Consent } from '../run/entries.js'

/** A plan in an entry beside its signature, in characters of JSON. */
const maxPlan = 24_576

/** One write that is signed: what the statement says of it, and its plan as the record has it. */
export interface ToSign { signed: SignedPlan, plan: unknown }

/** @returns what is signed of a plan: all that is shown, as it is recorded, so that the record proves it by itself */
export const toSigned = (toolCallId: string, plan: ShownPlan): ToSign => {
  const { summary, risk, target, arguments: args, preview, facts, input_digest: digest } = plan
  // Those of the release before are signed as they were shown: without reasons.
  const why = plan.risk_reasons?.length ? { risk_reasons: plan.risk_reasons } : {}
  const shown = { summary, risk, ...why, target, arguments: args, changes: preview, facts, digest }
  const { plan: recorded } = fitBody({ plan: shown }, maxPlan)
  return { signed: { tool_call_id: toolCallId, input_digest: digest, plan: digestOf(recorded) }, plan: recorded }
}

interface Taking { trx: Db, principal: Principal, body: { signature?: PasskeySignature | undefined } }

/**
 * Takes the signature that comes with an approval, of plans that are approved together, in their order.
 * @returns undefined where there is none, and none is required
 * @throws consent_signature_required, signature_invalid
 */
export const takeSigned = async ({ trx, principal, body: { signature } }: Taking, isRequired: boolean,
  all: readonly ToSign[]): Promise<Signed | undefined> => {
  if (!signature) {
    if (!isRequired) return undefined
    const message = 'is missing: sign what POST …/confirmations/{confirmation_id}/signature answers'
    throw ConsentSignatureRequired(undefined,
      { errors: [{ pointer: '/signature', code: 'consent_signature_required', message }] })
  }
  const plans = all.map(({ signed }) => signed)
  return takeSignature(trx, principal, signature, {
    pointer: '/signature',
    isOf: ({ purpose, plans: named }) => purpose === 'consent' && isSameJson(named, plans)
  })
}

/** The same for one plan. */
export const takeConsent = async (taking: Taking, { requirement }: { requirement: Requirement | null },
  toSign: ToSign): Promise<Consent | undefined> => {
  const signed = await takeSigned(taking, requirement?.signed ?? false, [toSign])
  return signed && { ...signed, plan: toSign.plan }
}

/** @returns the plan with the digest that was shown. @throws stale_preview, confirmation_closed */
const requireShown = (question: Question, digest: string): ShownPlan => {
  const { status, expired, kind, draft } = question
  if (status !== 'pending' || expired || kind !== 'tool') {
    throw ConfirmationClosed('It is not waiting any more', { reason: question.close_reason ?? status })
  }
  const shown = [question, draft].find((plan) => plan?.input_digest === digest)
  if (!shown) throw StalePreview(undefined, { input_digest: question.input_digest })
  return shown
}

/** @returns the plans of steps as they are signed: as they are shown, in their order */
export const signedSteps = ({ steps }: Steps): ToSign[] => steps.map(({ call, plan, asked }) =>
  toSigned(call.id, { ...toShown(plan), preview: asked.preview }))

/** @returns what the browser is given to sign a plan of steps. @throws stale_preview */
export const offerStepsConsent = async ({ db }: Pick<Deps, 'db'>, principal: Principal, party: RelyingParty,
  made: Steps, digest: string): Promise<SignatureOptions> => {
  if (made.input_digest !== digest) throw StalePreview(undefined, { input_digest: made.input_digest })
  return offerSignature(db, principal, party, {
    purpose: 'consent', plans: signedSteps(made).map(({ signed }) => signed)
  })
}

/** @returns what the browser is given to sign a question's plan, or its edited one */
export const offerConsent = async ({ db }: Pick<Deps, 'db'>, principal: Principal, party: RelyingParty,
  question: Question, digest: string): Promise<SignatureOptions> => {
  const { signed } = toSigned(question.tool_call_id ?? question.id, requireShown(question, digest))
  return offerSignature(db, principal, party, { purpose: 'consent', plans: [signed] })
}

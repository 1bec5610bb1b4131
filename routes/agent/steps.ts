import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { relyingPartyOf } from '../../lib/passkeys/challenges.js'
import { PasskeysUnavailable, SignatureInvalid, SignatureOptions } from '../../schemas/account/passkeys.js'
import { ConfirmationParams, SignConfirmation } from '../../schemas/agent/confirmations.js'
import { DecidedSteps, DecideSteps, PlanOfSteps, StepsProgress } from '../../schemas/agent/steps.js'
import { requireQuestion } from './lib/approvals/decide.js'
import { decides, reads, refuses, whereOf } from './lib/approvals/deciding.js'
import { decideSteps } from './lib/approvals/decide-steps.js'
import {
  ConfirmationClosed, ConfirmationDecided, ConfirmationExpired, ConfirmationNotFound, ConsentSignatureRequired,
  HighRiskAlone,
  NeedsOtherApprover, PlanUnavailable, StalePreview, StateChanged, StepForbidden, StepsNotFound
} from './lib/errors.js'
import { planSteps } from './lib/plans/plan-steps.js'
import { showProgress, requireAllVisible, showSteps, votedOn, toDecidedSteps } from './lib/approvals/show-steps.js'
import { offerStepsConsent } from './lib/approvals/sign-consent.js'

const planErrors = [ConfirmationNotFound, StepsNotFound, ConfirmationClosed, StateChanged, PlanUnavailable]
const decisionErrors = [ConfirmationDecided, ConfirmationExpired, StalePreview, StepForbidden, HighRiskAlone,
  NeedsOtherApprover, ConsentSignatureRequired, SignatureInvalid]

const steps: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/confirmations/:confirmation_id/steps', {
    config: { access: reads, errors: planErrors },
    schema: {
      operationId: 'getPlanOfSteps',
      summary: 'The writes of one turn as a plan of steps',
      description: 'What the assistant asked in the same turn as this confirmation and still waits, in the order in ' +
        'which it will run, each planned on the state that the steps before it will leave. It ends before a write ' +
        'whose state cannot be foreseen: that one is asked when the others have ended. Nothing is decided.',
      tags: ['agent'],
      params: ConfirmationParams,
      response: { 200: PlanOfSteps }
    }
  }, async (request) => {
    const { principal, params } = request
    const question = await requireQuestion(app, whereOf(request), params.confirmation_id, 'read')
    return showSteps(app, principal, question, await planSteps(app, principal.workspace_id, question))
  })

  app.get('/confirmations/:confirmation_id/steps/progress', {
    config: { access: reads, errors: [ConfirmationNotFound, StepsNotFound] },
    schema: {
      operationId: 'getStepsProgress',
      summary: 'How far a plan of steps has come',
      description: 'Where each step stands that was decided as one plan with this confirmation, in their order, and ' +
        'which step ended the plan, and why. Whoever may see all of its questions reads it; results are of who asked.',
      tags: ['agent'],
      params: ConfirmationParams,
      response: { 200: StepsProgress }
    }
  }, async (request) => {
    const question = await requireQuestion(app, whereOf(request), request.params.confirmation_id, 'read')
    return showProgress(app, request.principal, question)
  })

  app.post('/confirmations/:confirmation_id/steps', {
    config: { access: decides, refuses, errors: [...planErrors, ...decisionErrors] },
    schema: {
      operationId: 'decideSteps',
      summary: 'Decide a plan of steps',
      description: 'One decision for all steps. They run in order once each has the approvals that the strictest ' +
        'needs; the first that does not succeed, or meets another state than was shown, ends the rest with ' +
        '`step_stopped`. An approval sends the `input_digest` of the plan, and names the steps of high risk.',
      tags: ['agent'],
      params: ConfirmationParams,
      body: DecideSteps,
      response: { 200: DecidedSteps }
    }
  }, async (request) => {
    const decided = await decideSteps(app, whereOf(request), request.params.confirmation_id, request.body)
    const answer = toDecidedSteps(decided, request.body)
    request.run_id = answer.run_id
    request.recorded = !answer.already_decided
    if (decided.some(({ woken }) => woken)) await app.engine.wake(request.principal.workspace_id, answer.run_id)
    return answer
  })

  app.post('/confirmations/:confirmation_id/steps/signature', {
    config: {
      access: decides, audit: false, idempotency: false, errors: [...planErrors, StalePreview, PasskeysUnavailable]
    },
    schema: {
      operationId: 'signSteps',
      summary: 'Ask what a passkey has to sign for a plan of steps',
      description: 'One signature for all steps as they were shown, in their order; it is sent with the decision.',
      tags: ['agent'],
      params: ConfirmationParams,
      body: SignConfirmation,
      response: { 200: SignatureOptions }
    }
  }, async (request) => {
    const { principal, params, body } = request
    const question = await requireQuestion(app, whereOf(request), params.confirmation_id)
    const made = await planSteps(app, principal.workspace_id, question)
    await requireAllVisible(app, principal, question, made.steps.map((step) => votedOn(step, question)))
    return offerStepsConsent(app, principal, relyingPartyOf(app, request), made, body.input_digest)
  })
}

export default steps

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { relyingPartyOf } from '../../lib/passkeys/challenges.js'
import { decides, reads, refuses, whereOf } from './lib/approvals/deciding.js'
import {
  ConfirmationPage,
  ConfirmationDetails,
  ConfirmationParams,
  ConfirmationPlan,
  ConfirmationQuery,
  ConfirmRequest,
  ConfirmResult,
  DecideConfirmations,
  DecidedConfirmations,
  PlanConfirmation,
  SignConfirmation,
  ThreadQuery
} from '../../schemas/agent/confirmations.js'
import { PasskeysUnavailable, SignatureInvalid, SignatureOptions } from '../../schemas/account/passkeys.js'
import { ForbiddenByPolicy, InvalidCursor, Unchanged } from '../../schemas/errors.js'
import { decide, requireQuestion, decideEach } from './lib/approvals/decide.js'
import {
  ArgumentsInvalid,
  ConfirmationClosed,
  ConfirmationDecided,
  ConfirmationExpired,
  ConfirmationNotFound,
  ConsentSignatureRequired,
  DecidedAsSteps,
  HighRiskAlone,
  NeedsOtherApprover,
  NotShownWhole,
  PlanRequired,
  PlanUnavailable,
  StalePreview,
  StateChanged
} from './lib/errors.js'
import { pageOfConfirmations, pageOfThread, readConfirmation } from './lib/approvals/list-confirmations.js'
import { planEdit } from './lib/plans/recheck-plan.js'
import { offerConsent } from './lib/approvals/sign-consent.js'

const planErrors = [ConfirmationNotFound, ConfirmationClosed, StateChanged, Unchanged, PlanUnavailable, ArgumentsInvalid]
const errors = [...planErrors, ForbiddenByPolicy, ConfirmationDecided, ConfirmationExpired, StalePreview, PlanRequired,
  NeedsOtherApprover, NotShownWhole, DecidedAsSteps, ConsentSignatureRequired, SignatureInvalid]

const confirm: FastifyPluginAsyncTypebox = async (app) => {
  const take = async (request: FastifyRequest, body: ConfirmRequest): Promise<ConfirmResult> => {
    const claim = async (runId: string) => {
      request.run_id = runId
      await app.engine.wake(request.principal.workspace_id, runId)
    }
    const { woken, waited_ms: _, ...decided } = await decide(app, whereOf(request), body, claim)
    request.run_id = decided.run_id
    request.recorded = !decided.already_decided
    if (woken) await claim(decided.run_id)
    return { ...decided, stream_url: `/api/v1/agent/sessions/${decided.session_id}/stream` }
  }

  app.post('/confirm', {
    config: { access: decides, refuses, errors, assistant: 'approving' },
    schema: {
      operationId: 'confirm',
      summary: 'Approve or reject what the assistant asks',
      description: 'Decides one confirmation. The same decision again is 200 with already_decided; the other is 409. ' +
        'Where several people have to approve, an approval is a vote: 200 `pending` says who is missing. One ' +
        'rejection decides; with `changes`, the assistant proposes again. ' +
        'What would be done is planned again first: when the state has changed since it was shown, nothing is ' +
        'decided or done, and 409 `state_changed` has the question that replaces this one. Edited `arguments` are ' +
        'approved with the `input_digest` of their plan (planConfirmation); without it 409 `plan_required` has ' +
        'that plan.',
      tags: ['agent'],
      body: ConfirmRequest,
      response: { 200: ConfirmResult }
    }
  }, (request) => take(request, request.body))

  app.post('/confirmations/decide', {
    config: { access: decides, refuses, errors: [...errors, HighRiskAlone] },
    schema: {
      operationId: 'decideConfirmations',
      summary: 'Decide several confirmations',
      description: 'Each for itself, in their order, as `confirm` does: one that fails does not undo the others. ' +
        'Among several, an approval of high risk is refused with `high_risk_alone`, and its question stays pending.',
      tags: ['agent'],
      body: DecideConfirmations,
      response: { 200: DecidedConfirmations }
    }
  }, async (request) => {
    const { id, body: { decisions } } = request
    const items = await decideEach(app, whereOf(request), id, decisions, (body) => take(request, body))
    // Each decision has an entry of its own; that of the request is about those that were refused, or repeated.
    request.recorded = items.every(({ result }) => result !== null && !result.already_decided)
    return { items }
  })

  app.get('/confirmations', {
    config: { errors: [InvalidCursor] },
    schema: {
      operationId: 'listConfirmations',
      summary: 'What waits for me',
      description: 'Confirmations, newest first; by default those of my sessions that still wait. `view` also lists ' +
        'what others asked and I may approve, and what waits for others. Those of one run are in the order in which ' +
        'the assistant asked.',
      tags: ['agent'],
      querystring: ConfirmationQuery,
      response: { 200: ConfirmationPage }
    }
  }, async (request) => pageOfConfirmations(app, request.principal, request.query))

  app.get('/confirmations/:confirmation_id', {
    config: { access: reads, errors: [ConfirmationNotFound] },
    schema: {
      operationId: 'getConfirmation',
      summary: 'One confirmation, whole',
      description: 'What was shown and what became of it, who has approved it and who still may, with long changes ' +
        'that an event of the stream has to cut. Whoever may approve it sees it, but not the conversation.',
      tags: ['agent'],
      params: ConfirmationParams,
      response: { 200: ConfirmationDetails }
    }
  }, async (request) => readConfirmation(app, whereOf(request), request.params.confirmation_id))

  app.get('/confirmations/:confirmation_id/thread', {
    config: { access: reads, errors: [ConfirmationNotFound, InvalidCursor] },
    schema: {
      operationId: 'listConfirmationThread',
      summary: 'The confirmations that followed each other',
      description: 'The oldest first: each was asked because the one before it showed another state, was edited, or ' +
        'a person asked for changes.',
      tags: ['agent'],
      params: ConfirmationParams,
      querystring: ThreadQuery,
      response: { 200: ConfirmationPage }
    }
  }, async (request) => pageOfThread(app, whereOf(request), request.params.confirmation_id, request.query))

  app.post('/confirmations/:confirmation_id/plan', {
    config: {
      access: decides,
      errors: planErrors,
      rateLimit: {
        max: app.config.limits.plans_per_minute,
        keyGenerator: ({ principal }: FastifyRequest) => `${principal.workspace_id} plans:${principal.user_id}`
      }
    },
    schema: {
      operationId: 'planConfirmation',
      summary: 'Plan a confirmation with edited arguments',
      description: 'Says what the edited arguments would do now; decides nothing. Only a plan made here, or ' +
        'the original question, can be approved: by its `input_digest`.',
      tags: ['agent'],
      params: ConfirmationParams,
      body: PlanConfirmation,
      response: { 200: ConfirmationPlan }
    }
  }, async (request) => {
    const { principal, params, body } = request
    const question = await requireQuestion(app, whereOf(request), params.confirmation_id)
    return planEdit(app, principal, question, body.arguments)
  })

  app.post('/confirmations/:confirmation_id/signature', {
    config: {
      access: decides,
      audit: false,
      idempotency: false,
      errors: [ConfirmationNotFound, ConfirmationClosed, StalePreview, PasskeysUnavailable]
    },
    schema: {
      operationId: 'signConfirmation',
      summary: 'Ask what a passkey has to sign',
      description: 'For an approval whose `requirement` is `signed`: a challenge made of the plan that was shown, ' +
        'for one of my passkeys, once and for five minutes. Its signature is sent with the decision. Nothing is ' +
        'decided.',
      tags: ['agent'],
      params: ConfirmationParams,
      body: SignConfirmation,
      response: { 200: SignatureOptions }
    }
  }, async (request) => {
    const { principal, params, body } = request
    const question = await requireQuestion(app, whereOf(request), params.confirmation_id)
    return offerConsent(app, principal, relyingPartyOf(app, request), question, body.input_digest)
  })
}

export default confirm

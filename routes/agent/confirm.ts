import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  Confirmation,
  ConfirmationPage,
  ConfirmationParams,
  ConfirmationPlan,
  ConfirmationQuery,
  ConfirmRequest,
  ConfirmResult,
  PlanConfirmation
} from '../../schemas/agent/confirmations.js'
import { InvalidCursor } from '../../schemas/errors.js'
import { decide } from './lib/decide.js'
import {
  ArgumentsInvalid,
  ConfirmationClosed,
  ConfirmationDecided,
  ConfirmationExpired,
  ConfirmationNotFound,
  PlanRequired,
  PlanUnavailable,
  StalePreview,
  StateChanged
} from './lib/errors.js'
import { pageOfConfirmations, readConfirmation } from './lib/list-confirmations.js'
import { planEdit } from './lib/recheck-plan.js'

const planErrors = [ConfirmationNotFound, ConfirmationClosed, StateChanged, PlanUnavailable, ArgumentsInvalid]
const errors = [...planErrors, ConfirmationDecided, ConfirmationExpired, StalePreview, PlanRequired]

const refuses = {
  insufficient_role: 'who approves needs the right to do it themselves',
  insufficient_scope: 'who approves needs the right to do it themselves'
}

const confirm: FastifyPluginAsyncTypebox = async (app) => {
  app.post('/confirm', {
    config: { access: { scope: 'approvals:write', role: 'member' }, refuses, errors },
    schema: {
      operationId: 'confirm',
      summary: 'Approve or reject what the assistant asks',
      description: 'Decides one confirmation. The same decision again is 200 with already_decided; the other is 409. ' +
        'What would be done is planned again first: when the state has changed since it was shown, nothing is ' +
        'decided or done, and 409 `state_changed` has the question that replaces this one. Edited `arguments` are ' +
        'approved with the `input_digest` of their plan (planConfirmation); without it 409 `plan_required` has ' +
        'that plan.',
      tags: ['agent'],
      body: ConfirmRequest,
      response: { 200: ConfirmResult }
    }
  }, async (request) => {
    const claim = async (runId: string) => {
      request.run_id = runId
      await app.engine.claim(request.principal.workspace_id, runId)
    }
    const { woken, waited_ms: _, ...decided } = await decide(app, request.principal, request.body, claim)
    request.run_id = decided.run_id
    if (woken) await claim(decided.run_id)
    return { ...decided, stream_url: `/api/v1/agent/sessions/${decided.session_id}/stream` }
  })

  app.get('/confirmations', {
    config: { errors: [InvalidCursor] },
    schema: {
      operationId: 'listConfirmations',
      summary: 'What waits for me',
      description: 'Confirmations of all my sessions, or of one, newest first; by default those that still wait.',
      tags: ['agent'],
      querystring: ConfirmationQuery,
      response: { 200: ConfirmationPage }
    }
  }, async (request) => pageOfConfirmations(app, request.principal, request.query))

  app.get('/confirmations/:confirmation_id', {
    config: { errors: [ConfirmationNotFound] },
    schema: {
      operationId: 'getConfirmation',
      summary: 'One confirmation, whole',
      description: 'What was shown and what became of it, with long changes that an event of the stream has to cut.',
      tags: ['agent'],
      params: ConfirmationParams,
      response: { 200: Confirmation }
    }
  }, async ({ principal, params }) => readConfirmation(app.db, principal, params.confirmation_id))

  app.post('/confirmations/:confirmation_id/plan', {
    config: { access: { scope: 'approvals:write', role: 'member' }, errors: planErrors },
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
  }, async ({ principal, params, body }) => planEdit(app, principal, params.confirmation_id, body.arguments))
}

export default confirm

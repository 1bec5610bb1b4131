import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { isGated } from '../lib/openapi/contract.js'
import type { Principal } from '../lib/security/principal.js'
import { makePlan, PlanFailed } from '../lib/tools/make-plan.js'
import type { Arguments } from '../lib/tools/options.js'
import type { PolicyVerdict } from '../schemas/account/policies.js'
import { ApprovalRequired, ForbiddenByPolicy, PoliciesUnavailable } from '../schemas/errors.js'
import type { Tool } from '../lib/tools/tool.js'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Has the policies judge what a person or a token writes without asking anyone.
     * @throws forbidden_by_policy, approval_required, policies_unavailable, and the error of a read of the plan
     */
    requireAllowed: (principal: Principal, tool: Tool, args: Arguments) => Promise<void>
  }
}

/**
 * What a run sends was judged when it was asked, and right before it was sent. What goes on behind a request was judged
 * when that was asked for. Plans only read.
 */
const isJudged = ({ via, background, planning }: Principal): boolean =>
  via === 'assistant' || background === true || planning === true

/** One approval that the person may give themselves, without a signature, is what doing it is. */
const needsOthers = ({ requirement }: PolicyVerdict): boolean => requirement !== null &&
  (requirement.approvals > 1 || requirement.groups.length > 0 || requirement.exclude_requester ||
    requirement.signed === true)

const requireVerdict = (verdict: PolicyVerdict, { name }: Tool): void => {
  const { outcome, reason, policies, requirement } = verdict
  if (outcome === 'forbid') throw ForbiddenByPolicy(reason ?? undefined, { policies })
  if (outcome === 'ask' && needsOthers(verdict)) {
    throw ApprovalRequired(`Other people have to approve it: propose it with POST /api/v1/agent/tool-calls as ${name}`,
      { policies, requirement, tool: name })
  }
}

const retry = { 'retry-after': '5' }

const plan = async (app: FastifyInstance, principal: Principal, tool: Tool, args: Arguments) => {
  try {
    return await makePlan(app, principal, tool, args)
  } catch (error) {
    throw error instanceof PlanFailed ? PoliciesUnavailable().withHeaders(retry) : error
  }
}

/**
 * Policies hold for everybody: a person or token that calls a write directly obeys them as the assistant does. A
 * workspace without policies pays nothing. It follows the idempotency keys: what was answered is answered again.
 */
export default fp(async (app) => {
  app.decorate('requireAllowed', async (principal: Principal, tool: Tool, args: Arguments) => {
    if (isJudged(principal) || !await app.policies.of(principal.workspace_id)) return
    const made = await plan(app, principal, tool, args)
    if (made.effect === 'read') return
    const verdict = await app.policies.judge({ principal, tool, plan: made, tainted: false, trigger: false })
    if (verdict) requireVerdict(verdict, tool)
  })
  const gate = async ({ principal, params, query, body, routeOptions }: FastifyRequest) => {
    const tool = app.tools.find(routeOptions.config.contract?.operationId ?? '')
    if (tool) await app.requireAllowed(principal, tool, tool.unbind({ params, query, body }))
  }
  app.addHook('onRoute', (route) => {
    if (isGated(route)) route.preHandler = [...[route.preHandler ?? []].flat(), gate]
  })
}, { name: 'write-gate', dependencies: ['tools', 'policies', 'idempotency'] })

import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import { findNamed } from '../lib/access/guard-named.js'
import { isGated } from '../lib/openapi/contract.js'
import { targetOf, toDirectWrite, type DirectWrite } from '../lib/policies/direct-write.js'
import type { Principal } from '../lib/security/principal.js'
import { safeMethods } from '../lib/security/requests.js'
import { planWrite, PlanFailed } from '../lib/tools/make-plan.js'
import type { Arguments } from '../lib/tools/options.js'
import { showChanges } from '../lib/tools/show-changes.js'
import type { PolicyVerdict } from '../schemas/account/policies.js'
import { ApprovalRequired, ForbiddenByPolicy, PoliciesUnavailable } from '../schemas/errors.js'
import type { Tool } from '../lib/tools/tool.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Why policies do not judge the write. Every other one is judged: as the tool that it is, or by itself. */
    ungated?: string | false
    /** The tool that does the same by another address, and its arguments: policies judge the write as that. */
    gatedAs?: (request: FastifyRequest) => { tool: string, args: Arguments }
  }
  interface FastifyInstance {
    /** Says of all routes of the scope why policies do not judge them; `ungated: false` of a route is stronger. */
    leaveUngated: (scope: FastifyInstance, reason: string) => void
    /** @returns the writes that are no tools and are judged: policies name them as operations */
    directWrites: () => DirectWrite[]
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

/** @param tool by which it can be proposed; null = by none */
const requireVerdict = (verdict: PolicyVerdict, tool: string | null): void => {
  const { outcome, reason, policies, requirement } = verdict
  if (outcome === 'forbid') throw ForbiddenByPolicy(reason ?? undefined, { policies })
  if (outcome === 'ask' && needsOthers(verdict)) {
    const next = tool === null
      ? 'it is no tool that can be proposed, so only other policies let it be done'
      : `propose it with POST /api/v1/agent/tool-calls as ${tool}`
    throw ApprovalRequired(`Other people have to approve it: ${next}`,
      { policies, requirement, ...(tool !== null && { tool }) })
  }
}

const retry = { 'retry-after': '5' }

const plan = async (app: FastifyInstance, principal: Principal, tool: Tool, args: Arguments) => {
  try {
    return await planWrite(app, principal, tool, args)
  } catch (error) {
    throw error instanceof PlanFailed ? PoliciesUnavailable().withHeaders(retry) : error
  }
}

/** The plan of a write that is no tool: what it acts on and what was sent, without a look at the state. */
const planDirect = async (app: FastifyInstance, write: DirectWrite, request: FastifyRequest) => {
  const args = write.unbind(request)
  const { principal: { workspace_id: workspaceId }, method } = request
  const changes = Object.entries(args).map(([label, after]) => ({ label, before: null, after }))
  return {
    target: targetOf(request, await findNamed(app.db, request), workspaceId),
    arguments: args,
    preview: await showChanges(changes),
    risk: method === 'DELETE' ? 'high' as const : 'medium' as const
  }
}

/**
 * Policies hold for everybody: a person or token that writes directly obeys them as the assistant does. A write that is no
 * tool is judged by its operation, unless its route says why not. A workspace without policies pays nothing. It follows
 * the idempotency keys: what was answered is answered again.
 */
export default fp(async (app) => {
  app.decorate('requireAllowed', async (principal: Principal, tool: Tool, args: Arguments) => {
    if (isJudged(principal) || !await app.policies.of(principal.workspace_id)) return
    const made = await plan(app, principal, tool, args)
    if (made.effect === 'read') return
    const verdict = await app.policies.judge({ principal, tool, plan: made, tainted: false, trigger: false })
    if (verdict) requireVerdict(verdict, tool.name)
  })
  app.decorate('leaveUngated', (scope: FastifyInstance, reason: string) => {
    scope.addHook('onRoute', (route) => { route.config = { ungated: reason, ...route.config } })
  })
  const routes: RouteOptions[] = []
  const direct = new Map<string, DirectWrite>()
  app.decorate('directWrites', () => [...direct.values()])
  const requireDirect = async (request: FastifyRequest, write: DirectWrite) => {
    const { principal } = request
    if (isJudged(principal) || !await app.policies.of(principal.workspace_id)) return
    const made = await planDirect(app, write, request)
    const verdict = await app.policies.judge({ principal, tool: write, plan: made, tainted: false, trigger: false })
    if (verdict) requireVerdict(verdict, null)
  }
  const gate = async (request: FastifyRequest) => {
    const { principal, params, query, body, routeOptions: { config } } = request
    const name = config.contract?.operationId ?? ''
    const same = config.gatedAs?.(request)
    const tool = app.tools.find(same?.tool ?? name)
    const write = direct.get(name)
    if (tool) await app.requireAllowed(principal, tool, same?.args ?? tool.unbind({ params, query, body }))
    else if (write) await requireDirect(request, write)
  }
  app.addHook('onRoute', (route) => {
    if (safeMethods.has([route.method].flat()[0] ?? '')) return
    routes.push(route)
    route.preHandler = [...[route.preHandler ?? []].flat(), gate]
  })
  // At the end, when each route has its scope's access, and its reason not to be judged.
  app.addHook('onReady', async () => {
    for (const route of routes) {
      const { tool, gatedAs, contract } = route.config ?? {}
      if (tool !== undefined || gatedAs || !isGated(route)) continue
      direct.set(contract?.operationId ?? '', toDirectWrite(route.config ?? {}))
    }
  })
}, { name: 'write-gate', dependencies: ['tools', 'policies', 'idempotency'] })

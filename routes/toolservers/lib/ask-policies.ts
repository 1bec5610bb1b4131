import type { FastifyInstance } from 'fastify'
import type { Principal } from '../../../lib/security/principal.js'
import { PoliciesUnavailable } from '../../../schemas/errors.js'

type Deps = Pick<FastifyInstance, 'policies' | 'tools' | 'requireAllowed'>

/**
 * The route is no tool itself, so the gate does not know which tool it calls.
 * @param name as a model knows the tool
 * @throws forbidden_by_policy, approval_required, policies_unavailable, and the error of a read of the plan
 */
export const requireAllowedTool = async (app: Deps, principal: Principal, name: string,
  args: Record<string, unknown>): Promise<void> => {
  const { workspace_id: workspaceId } = principal
  if (principal.via === 'assistant' || !await app.policies.of(workspaceId)) return
  await app.tools.own.load(workspaceId)
  const tool = app.tools.find(name, workspaceId)
  // One whose definition nobody can use has no plan, and is not called unjudged.
  if (!tool) throw PoliciesUnavailable().withHeaders({ 'retry-after': '5' })
  await app.requireAllowed(principal, tool, args)
}

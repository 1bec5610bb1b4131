import type { Risk, Target } from '../tools/options.js'
import { hasRoleOn, type Holder, type Resource } from './role-on.js'

/** @returns what of a plan's target bindings can cover */
export const resourceOf = ({ kind, id, within = {} }: Pick<Target, 'kind' | 'id' | 'within'>): Resource => ({
  project_id: kind === 'project' ? id : within.project,
  cloud_account_id: kind === 'cloud_account' ? id : within.cloud_account,
  environment: within.environment
})

/** @returns whether the person may ask for a write on the target: whoever approves it decides whether it is done */
export const mayPropose = (holder: Holder, target: Target): boolean =>
  hasRoleOn(holder, 'operator', resourceOf(target))

/**
 * Who decides a question needs the role approver on its target; operator for what is of low risk.
 * @param question target null: it is about nothing but the conversation, so the role in the workspace counts
 */
export const mayApprove = (holder: Holder, { target, risk }: { target: Target | null, risk: Risk }): boolean =>
  hasRoleOn(holder, risk === 'low' ? 'operator' : 'approver', target === null ? {} : resourceOf(target))

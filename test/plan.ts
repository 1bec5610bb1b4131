import { makePlan, type MadePlan } from '../lib/tools/make-plan.js'
import type { Principal } from '../lib/security/principal.js'
import type { App } from './app.js'

/** @returns the first admin, as the assistant acts for them */
export const assistantOf = (app: App): Principal => ({
  workspace_id: app.home.workspace_id,
  user_id: app.home.admin_id,
  name: 'Administrator',
  role: 'admin',
  bindings: null,
  scopes: null,
  via: 'assistant',
  via_id: null
})

/** @returns what a person would be shown of a call that the assistant makes for the first admin */
export const planOf = async (app: App, name: string, args: Record<string, unknown>): Promise<MadePlan> => {
  const tool = app.tools.find(name)
  if (!tool) throw new Error(`There is no tool ${name}`)
  const [misfit] = tool.check(args)
  if (misfit) throw new Error(`${name} does not take ${misfit.pointer}: ${misfit.message}`)
  return makePlan(app, assistantOf(app), tool, args)
}

/** @returns the two parts of it that a person reads */
export const shownOf = async (app: App, name: string, args: Record<string, unknown>) => {
  const { summary, preview } = await planOf(app, name, args)
  return { summary, preview }
}

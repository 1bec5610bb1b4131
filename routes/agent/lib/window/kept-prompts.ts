import { findPrompt, savePrompt } from '../../../../db/agent/start-run.js'
import { promptHash, systemPrompt } from './prompt.js'
import type { Deps } from '../run/run-state.js'

/** Prompts of other releases, by workspace and hash. */
const prompts = new Map<string, string>()

/** @returns the system prompt that a session began with */
export const promptOf = async (deps: Deps, workspaceId: string, hash: string): Promise<string> => {
  if (hash === promptHash) return systemPrompt
  const key = `${workspaceId} ${hash}`
  const known = prompts.get(key)
  if (known !== undefined) return known
  const text = await findPrompt(deps.db, workspaceId, hash)
  if (text === undefined) throw new Error(`The system prompt ${hash} is gone`)
  prompts.set(key, text)
  return text
}

/** @returns a function that stores the prompt of new sessions, before the first of them in a workspace */
export const promptStore = ({ db }: Pick<Deps, 'db'>) => {
  const stored = new Set<string>()
  return async (workspaceId: string): Promise<void> => {
    if (stored.has(workspaceId)) return
    await savePrompt(db, workspaceId, promptHash, systemPrompt)
    stored.add(workspaceId)
  }
}

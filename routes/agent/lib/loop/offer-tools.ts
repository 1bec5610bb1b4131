import type { MessageParam, ToolUnion } from '@anthropic-ai/sdk/resources/messages'
import { finder } from '../../../../lib/tools/finder.js'
import { fieldsOf, isObject } from '../../../../schemas/unknown.js'
import type { Deps, RunState } from '../run/run-state.js'

/** How the result of the finder begins; nothing but our own code writes that into a result. */
const opening = `{"source":${JSON.stringify(finder)},`

const namesIn = (content: unknown): string[] => {
  if (typeof content !== 'string' || !content.startsWith(opening)) return []
  try {
    const { names } = fieldsOf(fieldsOf(JSON.parse(content)).content)
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []
  } catch {
    // A result that was shortened names nothing.
    return []
  }
}

/** @returns of a long result of the finder what is needed to offer what it found; undefined for any other result */
export const shortFound = (content: string): string | undefined => content.startsWith(opening)
  ? `${opening}"content":${JSON.stringify({ names: namesIn(content) })}}`
  : undefined

const foundIn = ({ role, content }: MessageParam): string[] => role === 'user' && typeof content !== 'string'
  ? content.flatMap((block) => isObject(block) && block.type === 'tool_result' ? namesIn(block.content) : [])
  : []

/** Reads out of the conversation what was found, as far as it was not looked through before. */
const lookForFound = ({ messages, tools }: RunState): void => {
  const fresh = messages.slice(tools.looked).flatMap(foundIn).filter((name) => !tools.found.includes(name))
  tools.found.push(...new Set(fresh))
  tools.looked = messages.length
}

/** Has those of the workspace's own tools read that the next model call may be offered. */
export const prepareTools = async (deps: Pick<Deps, 'tools' | 'llm'>, state: RunState): Promise<void> => {
  lookForFound(state)
  const { workspace_id: workspaceId } = state.principal
  if (deps.llm.of(workspaceId).searchesTools(state.model)) await deps.tools.own.load(workspaceId)
  else await deps.tools.prepare(workspaceId, state.tools.found)
}

/**
 * The tools of the next model call. What was found is read out of the conversation, which is stored: whoever goes on
 * with the run offers the same, in the same order.
 */
export const offerTools = (deps: Pick<Deps, 'tools' | 'llm'>, state: RunState): readonly ToolUnion[] => {
  const { principal, tools, model } = state
  lookForFound(state)
  const isSearchedByServer = deps.llm.of(principal.workspace_id).searchesTools(model)
  return deps.tools.offer({ principal, found: tools.found, isSearchedByServer })
}

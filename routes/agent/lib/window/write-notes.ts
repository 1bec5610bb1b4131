import type { ContentBlockParam } from '@anthropic-ai/sdk/resources/messages'
import type { ModelCallRow } from '../../../../db/model-spend.js'
import { BudgetExceeded } from '../../../../lib/llm/budget.js'
import { ModelError } from '../../../../lib/llm/errors.js'
import { cutText } from '../../../../lib/streams/cut-text.js'
import type { ReservedCall } from '../../../../lib/llm/connected-model.js'
import { messageOf } from '../../../../schemas/thrown.js'
import { settleUnused } from '../loop/call-model.js'
import { isLine, type SentRow } from './plan-context.js'
import { notesPrompt } from './prompt.js'
import { watchModelCall } from '../run/record.js'
import { redactText } from '../redact.js'
import type { Deps, RunState } from '../run/run-state.js'

const maxTokens = 1_500
const maxCharacters = 6_000
const resultCharacters = 300
const maxMs = 120_000

/** Notes are a block of their own in the summary, by which the next one finds them. */
const tag = '<notes>'

const isNotes = (block: ContentBlockParam): boolean => block.type === 'text' && block.text.startsWith(tag)

/** Neither the facts of a moment nor what stands for a result says anything of the conversation. */
const textOf = (block: ContentBlockParam): string => {
  if (block.type === 'text') return block.text.startsWith('<context>') ? '' : block.text
  if (block.type === 'tool_use') return `calls ${block.name} ${JSON.stringify(block.input).slice(0, resultCharacters)}`
  if (block.type !== 'tool_result' || typeof block.content !== 'string' || isLine(block.content)) return ''
  return `result ${block.content.slice(0, resultCharacters)}`
}

/** Of an earlier summary only its notes: its facts are read anew. */
const lineOf = ({ role, content, compaction }: SentRow): string => {
  const blocks = compaction ? content.filter(isNotes) : content
  return blocks.map(textOf).filter((text) => text !== '').map((text) => `${role}: ${text}`).join('\n')
}

const transcriptOf = (rows: readonly SentRow[], room: number): string =>
  redactText(cutText(rows.map(lineOf).filter((line) => line !== '').join('\n'), room).replaceAll('</', '<\\/'))

const toBlock = (text: string) => {
  const notes = redactText(text.replaceAll('<', '‹').trim()).slice(0, maxCharacters).toWellFormed()
  return notes === '' ? undefined : { type: 'text' as const, text: `${tag}\n${notes}\n</notes>` }
}

/** @returns what the model wrote at the last compaction, to be kept where it writes nothing now */
const earlierNotes = (dropped: readonly SentRow[]) => {
  const found = dropped.find(({ compaction }) => compaction)?.content.find(isNotes)
  return found?.type === 'text' ? { type: 'text' as const, text: found.text } : undefined
}

const noteTaker = ({ llm }: Deps, { key, model }: RunState): string => llm.smallModelOf(key.workspace_id) ?? model

/** @returns characters that the model of the notes reads at least: two a token, beside what it answers */
const roomOf = (deps: Deps, state: RunState): number =>
  (deps.llm.of(state.key.workspace_id).windowOf(noteTaker(deps, state)) - 2 * maxTokens) * 2

const requestOf = (deps: Deps, state: RunState, transcript: string, signal: AbortSignal): Promise<ReservedCall> =>
  deps.llm.reserve(state.key, {
    model: noteTaker(deps, state),
    system: notesPrompt,
    tools: [],
    max_tokens: maxTokens,
    messages: [{ role: 'user', content: `<transcript>\n${transcript}\n</transcript>\n\nWrite the notes.` }]
  }, signal)

const ask = async (deps: Deps, state: RunState, transcript: string, signal: AbortSignal): Promise<string> => {
  const call = await requestOf(deps, state, transcript, signal)
  const watch = watchModelCall(deps, state, call.model)
  let row: ModelCallRow | undefined
  try {
    const turn = await deps.llm.stream(call, {
      signal,
      idleMs: deps.config.limits.model_idle_ms,
      onText: watch.onText,
      onBroken: (charge) => { row = deps.llm.toRow(charge, call) }
    })
    row = deps.llm.toRow(turn, call)
    watch.report(row, turn, null)
    return turn.parts.map((part) => part.type === 'text' ? String(part.text) : '').join('')
  } catch (error) {
    watch.report(row, undefined, error)
    throw error
  } finally {
    await settleUnused(deps, state, call.hold, row)
  }
}

/** The facts by code are enough to go on: no failure of the model here ends the run. */
const isTolerable = (state: RunState, error: unknown): boolean => !state.abort.signal.aborted &&
  (error instanceof ModelError || error instanceof BudgetExceeded || (error as Error).name === 'TimeoutError')

/**
 * Asks the model, once, for notes of what it will not see any more.
 * @param room in characters
 * @returns its notes; those of the compaction before where it gives none
 */
export const writeNotes = async (deps: Deps, state: RunState, dropped: readonly SentRow[], room: number) => {
  const signal = AbortSignal.any([state.abort.signal, AbortSignal.timeout(maxMs)])
  try {
    const transcript = transcriptOf(dropped, Math.min(room, roomOf(deps, state)))
    return toBlock(await ask(deps, state, transcript, signal)) ?? earlierNotes(dropped)
  } catch (error) {
    if (!isTolerable(state, error)) throw error
    deps.log.warn({ run_id: state.key.run_id, reason: messageOf(error) }, 'a conversation is compacted without notes')
    return earlierNotes(dropped)
  }
}

import type { MessageCreateParamsBase } from '@anthropic-ai/sdk/resources/messages'
import { isNotesRequest } from './assistant/notes.js'
import { isTitleRequest } from './assistant/title.js'
import { textOf } from './text.js'
import type { Fault, FaultBody, Match, ScriptBody, Turn } from './turn.js'

interface Entry<T> { item: T, left: number, match: Match | undefined }

/** The turns and faults that tests have queued, each for matching requests. */
export class ScriptBook {
  #turns: Entry<Turn>[] = []
  #faults: Entry<Fault>[] = []

  addTurns ({ turns, match }: ScriptBody) {
    this.#turns.push(...turns.map((item) => ({ item, left: 1, match })))
  }

  addFault ({ times = 1, match, ...item }: FaultBody) {
    this.#faults.push({ item, left: times, match })
  }

  takeTurn (request: MessageCreateParamsBase) {
    return take(this.#turns, request)
  }

  takeFault (request: MessageCreateParamsBase) {
    return take(this.#faults, request)
  }

  clearTurns () {
    this.#turns = []
  }

  clearFaults () {
    this.#faults = []
  }

  /** The remaining queue. */
  get pending () {
    return { turns: this.#turns.length, faults: this.#faults.reduce((sum, { left }) => sum + left, 0) }
  }
}

// Entries with a match come first; the others are for requests that match none.
function take<T> (entries: Entry<T>[], request: MessageCreateParamsBase): T | undefined {
  const entry = entries.find(({ match }) => match && matches(match, request)) ??
    entries.find(({ match }) => !match && !isTitleRequest(request) && !isNotesRequest(request))
  if (!entry) return undefined
  entry.left--
  if (entry.left === 0) entries.splice(entries.indexOf(entry), 1)
  return entry.item
}

function matches (match: Match, request: MessageCreateParamsBase) {
  const { text, system, scope, model, answered, title = false, notes = false } = match
  if (model && request.model !== model) return false
  if (isTitleRequest(request) !== title || isNotesRequest(request) !== notes) return false
  if (system && !textOf(request.system).includes(system)) return false
  if (answered !== undefined && answered !== isAnswered(request)) return false
  return !text || searchable(request, scope).includes(text)
}

// In a tool loop the last user message has only results, so the search continues to the last one with text.
function searchable ({ messages }: MessageCreateParamsBase, scope: Match['scope']) {
  const from = scope === 'conversation' ? 0 : messages.findLastIndex(isWorded)
  return messages.slice(Math.max(0, from)).filter(({ role }) => role === 'user')
    .map(({ content }) => textOf(content, true)).join('\n')
}

const isAnswered = ({ messages }: MessageCreateParamsBase): boolean =>
  messages.findLastIndex(isWorded) < messages.length - 1

const isWorded = ({ role, content }: MessageCreateParamsBase['messages'][number]) =>
  role === 'user' && textOf(content).trim() !== ''

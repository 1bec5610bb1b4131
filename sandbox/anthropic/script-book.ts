import type { MessageCreateParamsBase } from '@anthropic-ai/sdk/resources/messages'
import { isTitleRequest } from './assistant/title.js'
import { textOf } from './text.js'
import type { Fault, FaultBody, Match, ScriptBody, Turn } from './turn.js'

interface Entry<T> { item: T, left: number, match: Match | undefined }

/** What tests have queued: turns to play and faults to make, each for the requests it matches. */
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

  /** What is still queued. */
  get pending () {
    return { turns: this.#turns.length, faults: this.#faults.reduce((sum, { left }) => sum + left, 0) }
  }
}

// Bound entries come first: an unbound one is for whoever has nothing of their own.
function take<T> (entries: Entry<T>[], request: MessageCreateParamsBase): T | undefined {
  const entry = entries.find(({ match }) => match && matches(match, request)) ??
    entries.find(({ match }) => !match && !isTitleRequest(request))
  if (!entry) return undefined
  entry.left--
  if (entry.left === 0) entries.splice(entries.indexOf(entry), 1)
  return entry.item
}

function matches ({ text, system, scope, title = false }: Match, request: MessageCreateParamsBase) {
  if (isTitleRequest(request) !== title) return false
  if (system && !textOf(request.system).includes(system)) return false
  return !text || searchable(request, scope).includes(text)
}

// In a tool loop the last user message holds only results, so the search reaches back to the last one with words.
function searchable ({ messages }: MessageCreateParamsBase, scope: Match['scope']) {
  const from = scope === 'conversation' ? 0 : messages.findLastIndex(isWorded)
  return messages.slice(Math.max(0, from)).filter(({ role }) => role === 'user')
    .map(({ content }) => textOf(content, true)).join('\n')
}

const isWorded = ({ role, content }: MessageCreateParamsBase['messages'][number]) =>
  role === 'user' && textOf(content).trim() !== ''

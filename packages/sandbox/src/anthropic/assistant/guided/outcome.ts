import { isRecord } from '../../validate/shape.js'
import type { Call } from '../conversation.js'
import type { Say } from './forms.js'
import { plain, text } from './texts.js'

/** @returns what a person wants changed before they approve; undefined = the call ended otherwise */
export function readChanges ({ data, text: words }: Call): string | undefined {
  if (isRecord(data) && data.code === 'changes_requested') return text(data.changes)
  return /A person asks for changes first; propose it again with them: (.*)/s.exec(words)?.[1]
}

// Steward's own notes on a call without a result: fixed sentences, not language.
const endings: [begins: string, en: string, de: string][] = [
  ['The user declined', 'You rejected it. Nothing was changed.', 'Du hast es abgelehnt. Nichts wurde geändert.'],
  ['Nobody approved this in time', 'The approval expired. Nothing was changed.',
    'Die Freigabe ist abgelaufen. Nichts wurde geändert.'],
  ['The user moved on', 'It was closed without a decision. Nothing was changed.',
    'Es wurde ohne Entscheidung geschlossen. Nichts wurde geändert.'],
  ['Cancelled before', 'It was cancelled before it ran. Nothing was changed.',
    'Es wurde abgebrochen, bevor es lief. Nichts wurde geändert.'],
  ['The tool did not answer in time', 'It timed out. Check the current state before you try again.',
    'Es kam keine Antwort. Sieh nach, wie es jetzt steht, bevor du es noch einmal versuchst.'],
  ['It was sent, but its outcome is unknown',
    'It was sent, but its outcome is unknown. Check the current state before you try again.',
    'Es wurde gesendet, aber das Ergebnis ist unbekannt. Sieh nach, wie es jetzt steht, bevor du es noch einmal versuchst.']
]

/** Why a call did not work: in the words of the API. */
export function explainFailure (say: Say, { data, text: words }: Call): string {
  const ending = endings.find(([begins]) => words.startsWith(begins))
  if (ending) return say(ending[1], ending[2])
  const problem = isRecord(data) ? data : {}
  const detail = [problem.detail, problem.message, problem.title, words].map(text).find(Boolean) ?? ''
  return `${say('That did not work:', 'Das ging nicht:')} ${plain(detail.slice(0, 400))}`
}

/** What became of a write. */
export const reportWrite = (say: Say, call: Call): string =>
  call.isError || readChanges(call) !== undefined || endings.some(([begins]) => call.text.startsWith(begins))
    ? explainFailure(say, call)
    : say('Done.', 'Erledigt.')

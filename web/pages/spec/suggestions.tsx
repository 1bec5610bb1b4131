import { api, body, type Schemas } from '../../api/client'
import { useResource } from '../../api/resource'
import { ActionButton } from '../../parts/action-button'
import { sendEdit } from './send-inputs'
import { Suggested } from './suggested'
import { nameOfTarget } from './target-name'
import type { Written } from './index'
import { say } from '../../texts/say'
import { translate } from '../../texts/translate'

/** @returns what the last generation that succeeded suggests */
const load = async (id: string, signal: AbortSignal): Promise<Schemas['Suggestion'][]> => {
  const path = { session_id: id }
  const { items } = await body(api.GET('/pse/sessions/{session_id}/generations', { params: { path }, signal }))
  return items.find(({ status }) => status === 'succeeded')?.suggestions ?? []
}

type SpecDocument = Schemas['SpecDocument']

/** @returns the item, entry or section that a suggestion is about */
const readTarget = (document: SpecDocument, target: string): unknown =>
  [...document.requirements, ...document.stories, ...document.tasks, ...document.open_questions, ...document.decisions,
    ...document.assumptions, ...document.success_criteria].find(({ id }) => id === target) ??
    Object.entries(document).find(([key]) => target === `sections.${key}`)?.[1] ?? document.sections

/** Names in order, however the database has stored them, and an item as if it had always been there. */
const inOrder = (_: string, value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries({ ...value, since_version: undefined }).sort(([one], [other]) =>
    one < other ? -1 : 1))
}

const isTaken = (document: SpecDocument, { target, op, value }: Schemas['Suggestion']): boolean => {
  const now = readTarget(document, target)
  if (op === 'retire') return document.requirements.some(({ id, status }) => id === target && status === 'retired')
  return JSON.stringify(now, inOrder) === JSON.stringify(value, inOrder)
}

/** The generation's suggestions for requirements that a person wrote. Accepting one is an edit. */
export const Suggestions = ({ session, version, onChange }: Written) => {
  const { session_id: id, totals } = session
  const suggestions = useResource([id, totals.generations], (signal) => load(id, signal))
  const open = (suggestions.data ?? []).filter((one) => !isTaken(version.document, one))
  if (open.length === 0) return null
  return (
    <section class='card stack' aria-label={say('spec.suggestions')}>
      <h2>{say('spec.suggestions')}</h2>
      {open.map(({ target, op, value, reason }) => <div key={target} class='stack tight'>
        <p><strong>{nameOfTarget(version.document, target)}</strong> {translate('reasons', reason)}</p>
        {op === 'replace' && <details class='small'>
          <summary>{say('spec.suggested')}</summary><Suggested value={value} />
        </details>}
        <div><ActionButton
          variant='small' label={say('spec.accept.of', { target: nameOfTarget(version.document, target) })}
          act={() => sendEdit(session.session_id, version, {
            of: (document) => readTarget(document, target),
            op: () => op === 'replace' ? { op, target, value } : { op, target }
          }).finally(onChange)}
        >{say('spec.accept')}
        </ActionButton>
        </div>
      </div>)}
    </section>
  )
}

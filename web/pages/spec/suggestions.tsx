import { api, body, type Schemas } from '../../api/client'
import { useResource } from '../../api/resource'
import { ActionButton } from '../../parts/action-button'
import { Json } from '../../parts/value'
import { sendEdit } from './send-inputs'
import type { Version, Written } from './index'
import { say } from '../../texts/say'

const load = async (version: Version, signal: AbortSignal): Promise<Schemas['Suggestion'][]> => {
  if (version.generation_id === null) return []
  const path = { session_id: version.session_id, generation_id: version.generation_id }
  return (await body(api.GET('/pse/sessions/{session_id}/generations/{generation_id}', { params: { path }, signal })))
    .suggestions
}

/** @returns the item or section that a suggestion is about */
const readTarget = (document: Schemas['SpecDocument'], target: string): unknown =>
  [...document.requirements, ...document.stories].find(({ id }) => id === target) ??
    Object.entries(document).find(([key]) => target === `sections.${key}`)?.[1] ?? document.sections

/** The generation's suggestions for requirements that a person wrote. Accepting one is an edit. */
export const Suggestions = ({ session, version, onChange }: Written) => {
  const suggestions = useResource([version.generation_id], (signal) => load(version, signal))
  if (!suggestions.data?.length) return null
  return (
    <section class='card stack' aria-label={say('spec.suggestions')}>
      <h2>{say('spec.suggestions')}</h2>
      {suggestions.data.map(({ target, op, value, reason }) => <div key={target} class='stack tight'>
        <p><code>{target}</code> {reason}</p>
        {op === 'replace' && <details class='small'>
          <summary>{say('spec.suggested')}</summary><Json value={value} />
        </details>}
        <div><ActionButton
          variant='small' label={say('spec.accept.of', { target })}
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

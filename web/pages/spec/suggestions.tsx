import { api, body, type Schemas } from '../../api/client'
import { useResource } from '../../api/resource'
import { ActionButton } from '../../parts/action-button'
import { Json } from '../../parts/value'
import { editOf, sendInputs } from './send-inputs'
import type { Spec, Version } from './index'

const load = async (version: Version, signal: AbortSignal): Promise<Schemas['Suggestion'][]> => {
  if (version.generation_id === null) return []
  const path = { session_id: version.session_id, generation_id: version.generation_id }
  return (await body(api.GET('/pse/sessions/{session_id}/generations/{generation_id}', { params: { path }, signal })))
    .suggestions
}

/** What the generation would have changed of what a person wrote: taken by an edit, or left. */
export const Suggestions = ({ session, version, onChange }: Spec & { version: Version }) => {
  const suggestions = useResource([version.generation_id], (signal) => load(version, signal))
  if (!suggestions.data?.length) return null
  return (
    <section class='card stack' aria-label='Suggestions'>
      <h2>Suggestions</h2>
      {suggestions.data.map(({ target, op, value, reason }) => <div key={target} class='stack tight'>
        <p><code>{target}</code> {reason}</p>
        {op === 'replace' && <details class='small'><summary>What it would be</summary><Json value={value} /></details>}
        <div><ActionButton
          look='small' label={`Take it: ${target}`} act={async () => {
            const taken = op === 'replace' ? { op, target, value } : { op, target }
            await sendInputs(session.session_id, editOf(version, taken))
            onChange()
          }}
        >Take it
        </ActionButton>
        </div>
      </div>)}
    </section>
  )
}

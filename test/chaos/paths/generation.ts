import { brief } from '../../../packages/spec-engine/test/engine/brief.js'
import { look } from '../survivor.js'
import { unless, type Path } from './path.js'

interface Generation { status: string, result_version: number | null, steps: { status: string }[] }

const ended = new Set(['succeeded', 'failed', 'cancelled', 'budget_exceeded'])

/** A spec is generated: whoever takes it up goes on after the last step that is done, and makes one version. */
export const generation: Path = {
  areas: ['pse'],
  async prepare (_t, survivor) {
    return async (number) => {
      const { session_id: id } = await survivor.ask('POST', '/pse/sessions',
        { title: `Lockers ${number}`, inputs: [{ kind: 'text', label: 'Brief', text: brief }] })
      const path = `/pse/sessions/${String(id)}`
      // Whether this is answered or not, the row says what became of it.
      await survivor.ask('POST', `${path}/generate`, { engine: 'template' })
      const list = async () => (await survivor.ask('GET', `${path}/generations`)).items as Generation[]
      const made = await look(list, (items) => items.length > 0 && items.every(({ status }) => ended.has(status)))
      const versions = (await survivor.ask('GET', `${path}/versions`)).items as { version: number }[]
      return [
        ...unless(made.every(({ status }) => status === 'succeeded'), `ended as ${JSON.stringify(made)}`),
        ...unless(made.every(({ steps }) => steps.every(({ status }) => status === 'done')), 'a step is not done'),
        ...unless(made.length === versions.length, `${made.length} generations made ${versions.length} versions`)
      ]
    }
  }
}

import { input } from '../../routes/content/actors.js'
import { look } from '../survivor.js'
import { unless, type Path } from './path.js'

interface Generation { status: string, finished_at: string | null }

/** A model writes what a brief asks for: a crash costs no step that is done, and makes no record twice. */
export const content: Path = {
  areas: ['content'],
  async prepare (_t, survivor) {
    const { id: project } = await survivor.ask('POST', '/account/projects', { name: 'Written' })
    await survivor.ask('PUT', `/content/brands/${String(project)}`, { approval: { self_approval: true } })
    return async (number) => {
      const brief = await survivor.ask('POST', '/content/briefs', input(String(project), { title: `Brief ${number}` }))
      await survivor.ask('POST', '/content/generate', { brief_id: brief.id, engine: 'anthropic' })
      const list = async () => (await survivor.query<Generation>(`select status, finished_at from content_generation
        where workspace_id = (select id from workspace) and brief_id = $1`, [brief.id]))
      const made = await look(list, (rows) => rows.length > 0 && rows.every((row) => row.finished_at !== null))
      const records = await survivor.query('select id from content where brief_id = $1', [brief.id])
      return [
        ...unless(made.every(({ status }) => status === 'succeeded'), `ended as ${JSON.stringify(made)}`),
        ...unless(records.length === made.length, `${made.length} generations made ${records.length} records`)
      ]
    }
  }
}

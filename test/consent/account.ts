import { randomUUID } from 'node:crypto'
import { asAdmin, type App } from '../app.js'
import type { ConsentCase } from './case.js'

const nameOf = (word: string) => `${word} ${randomUUID().slice(0, 8)}`

const projects = (app: App) => {
  const call = async (method: 'GET' | 'POST' | 'PATCH', path: string, payload?: object) => (await app.inject({
    method, url: `/account/projects${path}`, headers: asAdmin, ...(payload && { payload })
  })).json()
  return {
    make: (name: string) => call('POST', '', { name, description: 'As it was' }),
    change: (id: string, change: object) => call('PATCH', `/${id}`, change),
    archive: (id: string) => call('POST', `/${id}/archive`, {}),
    read: (id: string) => call('GET', `/${id}`),
    count: async (name: string): Promise<number> =>
      (await call('GET', `?q=${encodeURIComponent(name)}`)).items.length
  }
}

export const accountCases: ConsentCase[] = [
  {
    tool: 'createProject',
    arrange: async (app) => {
      const name = nameOf('Created')
      return { args: { name, description: 'New' }, drifts: {}, executed: () => projects(app).count(name) }
    }
  },
  {
    tool: 'updateProject',
    arrange: async (app) => {
      const { make, change, archive, read } = projects(app)
      const { id } = await make(nameOf('Changed'))
      return {
        args: { project_id: id, description: 'As approved' },
        drifts: {
          'the description is another one': () => change(id, { description: 'By another person' }),
          'it is archived': () => archive(id)
        },
        irrelevant: { 'the name is another one': () => change(id, { name: nameOf('Renamed') }) },
        executed: async () => (await read(id)).description === 'As approved' ? 1 : 0
      }
    }
  },
  {
    tool: 'archiveProject',
    arrange: async (app) => {
      const { make, change, read } = projects(app)
      const { id } = await make(nameOf('Archived'))
      return {
        args: { project_id: id },
        drifts: { 'it has another name': () => change(id, { name: nameOf('Something else') }) },
        irrelevant: { 'the description is another one': () => change(id, { description: 'New words' }) },
        executed: async () => (await read(id)).archived_at === null ? 0 : 1
      }
    }
  }
]

import { randomUUID } from 'node:crypto'
import { asAdmin, type App } from '../app.js'
import { planOf } from '../plan.js'
import { actor, addTasks, generate, makeSession } from '../routes/pse/actors.js'
import type { ConsentCase } from './case.js'
import { elsewhere } from './code-host.js'

const text = '# Requirements\n\nThe locker must open within 2 seconds.\n\nThe locker must log each opening.\n'
const nameOf = (word: string) => `${word} ${randomUUID().slice(0, 8)}`

const sessionOf = async (app: App, more: object = {}) => {
  const title = nameOf('Lockers')
  const { id, path } = await makeSession(app, text, { title, ...more })
  const read = () => actor(app).json(path)
  return {
    id,
    path,
    title,
    read,
    change: (values: object) => actor(app).patch(path, values),
    move: (to: string) => actor(app).post(`${path}/transitions`, { to }),
    addInput: () => actor(app).post(`${path}/inputs`, { inputs: [{ kind: 'text', text: 'It must be quiet.' }] })
  }
}

const countTitled = async (app: App, title: string): Promise<number> =>
  (await actor(app).json(`/sessions?q=${encodeURIComponent(title)}`)).items.length

const otherSettings = { spec_type: 'bugfix', notation: 'gherkin', profile: 'full', artifacts: ['tasks'], locale: 'de' }
const input = { kind: 'text', label: 'More', text: 'It must be blue.' }
const otherInput = { kind: 'text', label: 'More', text: 'It must be green.' }

const standardOf = async (app: App) => {
  const key = `consent-${randomUUID().slice(0, 8)}`
  const made = await actor(app).post('/standards',
    { key, title: nameOf('Rules'), kind: 'guideline', body_markdown: 'Be brief.' })
  if (made.statusCode !== 201) throw new Error(made.payload)
  const { title } = made.json()
  const put = (body_markdown: string) =>
    actor(app).call('PUT' as 'PATCH', `/standards/${key}`, { title, kind: 'guideline', body_markdown })
  return { key, title, put, read: () => actor(app).json(`/standards/${key}`) }
}

export const pseCases: ConsentCase[] = [
  {
    tool: 'createSpecSession',
    arrange: async (app) => {
      const title = nameOf('Created')
      return {
        args: { title, description: 'New', inputs: [input] },
        drifts: {},
        variants: { inputs: [otherInput], options: { max_requirements: 10 }, locale: 'de' },
        sameBy: ['project_id', 'standards'],
        executed: () => countTitled(app, title)
      }
    }
  },
  {
    tool: 'updateSpecSession',
    arrange: async (app) => {
      const { id, change, move, addInput, read } = await sessionOf(app)
      return {
        args: { session_id: id, description: 'As approved' },
        drifts: {
          'the description is another one': () => change({ description: 'By another person' }),
          'it is archived': () => move('archived')
        },
        irrelevant: { 'there is another input': addInput, 'the locale is another one': () => change({ locale: 'de' }) },
        variants: { ...otherSettings, options: { max_requirements: 10 } },
        sameBy: ['project_id', 'standards'],
        executed: async () => (await read()).description === 'As approved' ? 1 : 0
      }
    }
  },
  {
    tool: 'deleteSpecSession',
    arrange: async (app) => {
      const { id, path, change, addInput } = await sessionOf(app)
      return {
        args: { session_id: id },
        drifts: {
          'it has another title': () => change({ title: nameOf('Something else') }),
          'there is another input': addInput,
          'there is a version': () => generate(app, path)
        },
        irrelevant: { 'the locale is another one': () => change({ locale: 'de' }) },
        executed: async () => (await actor(app).get(path)).statusCode === 404 ? 1 : 0
      }
    }
  },
  {
    tool: 'addSpecInputs',
    arrange: async (app) => {
      const { id, change, move, read } = await sessionOf(app)
      return {
        args: { session_id: id, inputs: [input] },
        drifts: { 'it is archived': () => move('archived') },
        irrelevant: { 'it has another title': () => change({ title: nameOf('Renamed') }) },
        variants: { inputs: [otherInput] },
        executed: async () => (await read()).inputs - 1
      }
    }
  },
  {
    tool: 'generateSpec',
    arrange: async (app) => {
      const { id, path, addInput, change } = await sessionOf(app)
      await generate(app, path)
      const comment = nameOf('Pay attention')
      return {
        args: { session_id: id, engine: 'template', instructions: comment },
        drifts: {
          'there is another input': addInput,
          'the notation is another one': () => change({ notation: 'gherkin' }),
          'there is another version': () => generate(app, path)
        },
        variants: { targets: ['FR-001'], budget: { usd: 1 }, mode: 'requirements' },
        sameBy: ['base_version'],
        executed: async () => {
          const asked = await app.db.selectFrom('pse_generation').select('request')
            .where('session_id', '=', id).execute()
          return asked.filter(({ request }) => JSON.stringify(request).includes(comment)).length
        }
      }
    }
  },
  {
    tool: 'cancelSpecGeneration',
    arrange: async (app) => {
      const { id, path } = await sessionOf(app)
      const { generation: { generation_id: generation } } = await generate(app, path)
      // As one that waits, and that no worker of this instance takes up meanwhile.
      const set = (status: 'queued' | 'running') => app.db.updateTable('pse_generation')
        .set({ status, finished_at: null, lease_owner: randomUUID(), lease_until: new Date(Date.now() + 3_600_000) })
        .where('id', '=', generation).execute()
      await set('queued')
      return {
        args: { session_id: id, generation_id: generation },
        drifts: {},
        irrelevant: { 'a worker has begun it': () => set('running') },
        executed: async () => {
          const row = await app.db.selectFrom('pse_generation').select(['status', 'cancel_requested_at'])
            .where('id', '=', generation).executeTakeFirstOrThrow()
          return row.status === 'cancelled' || row.cancel_requested_at !== null ? 1 : 0
        }
      }
    }
  },
  {
    tool: 'moveSpecSession',
    arrange: async (app) => {
      const { id, path, read, addInput, change } = await sessionOf(app)
      await generate(app, path)
      return {
        args: { session_id: id, to: 'archived', comment: 'Done with it' },
        drifts: {
          'there is another version': () => generate(app, path),
          'it is out of date': addInput
        },
        irrelevant: { 'it has another title': () => change({ title: nameOf('Renamed') }) },
        variants: { to: 'review' },
        executed: async () => (await read()).state === 'archived' ? 1 : 0
      }
    }
  },
  {
    tool: 'openSpecPull',
    arrange: async (app) => {
      const { id, path, addInput } = await sessionOf(app)
      await generate(app, path)
      const args = { session_id: id, repo_id: '7001' }
      const { preview, arguments: { head } } = await planOf(app, 'openSpecPull', args)
      const file = preview.find(({ label }) => label.startsWith('File '))?.label.slice(5) ?? ''
      const query = new URLSearchParams({ path: file, ref: String(head) })
      return {
        args,
        drifts: {
          'there is a pull request': () => elsewhere(app).open(String(head), 'main', 'By hand', `by-hand/${id}.md`),
          'the file is on the base already': () => elsewhere(app).push('main', file, 'By hand\n')
        },
        irrelevant: {
          'there is another version': async () => {
            await addInput()
            await generate(app, path)
          }
        },
        variants: { repo_id: '7002', path_prefix: 'other', layout: 'kiro', head: 'spec/other' },
        sameBy: ['version', 'base', 'from', 'expected_head'],
        executed: async () => {
          const answer = await app.inject({ url: `/codehost/repos/7001/contents?${query}`, headers: asAdmin })
          // A branch that another made from the base has the file that was pushed there.
          return answer.statusCode === 200 && answer.json().text !== 'By hand\n' ? 1 : 0
        }
      }
    }
  },
  {
    tool: 'openSpecIssues',
    arrange: async (app) => {
      const { id, path, addInput } = await sessionOf(app, { artifacts: ['requirements', 'tasks'] })
      await addTasks(app, path, (await generate(app, path)).spec)
      const { tasks } = await actor(app).json(`${path}/issues`)
      const ids: string[] = tasks.map(({ task_id: task }: { task_id: string }) => task)
      return {
        args: { session_id: id, repo_id: '7001' },
        drifts: {
          'a task has an issue': () => actor(app).post(`${path}/issues`, { repo_id: '7001', task_ids: ids.slice(0, 1) })
        },
        irrelevant: {
          'there is another version': async () => {
            await addInput()
            await generate(app, path)
          }
        },
        variants: { repo_id: '7002', task_ids: ids.slice(1) },
        sameBy: ['version'],
        executed: async () => {
          const { tasks: now } = await actor(app).json(`${path}/issues?version=2`)
          return now.every(({ issues }: { issues: unknown[] }) => issues.length > 0) ? 1 : 0
        }
      }
    }
  },
  {
    tool: 'createStandard',
    arrange: async (app) => {
      const { key: original, put } = await standardOf(app)
      const key = `copy-${randomUUID().slice(0, 8)}`
      return {
        args: { clone_of: original, key },
        drifts: { 'what is copied is another text': () => put('Be very brief.') },
        variants: { title: 'Other', scope: { project_ids: [], spec_types: ['feature'] } },
        sameBy: ['rules', 'extends', 'overrides', 'clone_of', 'description', 'tags', 'kind'],
        executed: async () => (await actor(app).get(`/standards/${key}`)).statusCode === 200 ? 1 : 0
      }
    }
  },
  {
    tool: 'replaceStandard',
    arrange: async (app) => {
      const { key, title, put, read } = await standardOf(app)
      return {
        args: { standard: key, title, kind: 'guideline', body_markdown: 'As approved.' },
        drifts: { 'it is another text': () => put('By another person.') },
        variants: { scope: { project_ids: [], spec_types: ['feature'] }, status: 'deprecated' },
        sameBy: ['standard_id', 'key', 'version', 'revision', 'source', 'created_by', 'created_at', 'updated_at',
          'rules', 'extends', 'overrides'],
        executed: async () => (await read()).body_markdown === 'As approved.' ? 1 : 0
      }
    }
  },
  {
    tool: 'deleteStandard',
    arrange: async (app) => {
      const { key, put, read } = await standardOf(app)
      return {
        args: { standard: key },
        drifts: { 'it is another version': () => put('By another person.') },
        executed: async () => (await read()).status === 'archived' ? 1 : 0
      }
    }
  }
]

import { look } from '../survivor.js'
import { unless, type Path } from './path.js'

interface Call { tool_call_id: string, status: string, confirmation: { id: string } | null }

/** A program proposes two writes as one plan, and a person approves it: each is done once, in their order. */
export const planOfSteps: Path = {
  areas: ['steps'],
  async prepare (_t, survivor) {
    return async (number) => {
      const names = [`Plan ${number} one`, `Plan ${number} two`]
      const calls = names.map((name) => ({ name: 'createProject', arguments: { name } }))
      const proposed = await survivor.ask('POST', '/api/v1/agent/tool-calls/plan', { calls })
      const items = proposed.items as Call[]
      const path = `/api/v1/agent/confirmations/${String(items[0]?.confirmation?.id)}/steps`
      const { input_digest } = await survivor.ask('GET', path)
      // Where the process died before the answer, nobody knows yet what became of that request: it is sent again.
      for (let code: unknown = 'idempotency_in_progress'; code === 'idempotency_in_progress';) {
        ({ code } = await survivor.ask('POST', path, { approved: true, input_digest }))
      }
      const read = () => Promise.all(items.map(({ tool_call_id: id }) =>
        survivor.ask('GET', `/api/v1/agent/tool-calls/${id}`)))
      const ends = await look(read, (found) => found.every(({ finished_at: end }) => typeof end === 'string'))
      const made = await survivor.query<{ name: string }>(
        'select name from account_project where name like $1 order by id', [`Plan ${number} %`])
      return [
        ...unless(ends.every(({ status }) => status === 'succeeded'), `ended as ${JSON.stringify(ends)}`),
        ...unless(made.map(({ name }) => name).join() === names.join(), `made ${JSON.stringify(made)}`)
      ]
    }
  }
}

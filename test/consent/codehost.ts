import { randomUUID } from 'node:crypto'
import { asAdmin, type App } from '../app.js'
import { steer } from '../routes/codehost/actors.js'
import type { ConsentCase } from './case.js'
import { elsewhere } from './code-host.js'

const repository = 'larkspur/web'
const path = 'docs/consent.md'

const pullsOf = async (app: App, head: string): Promise<{ title: string }[]> => {
  const url = `/codehost/repos/7001/pulls?head=${encodeURIComponent(head)}`
  return (await app.inject({ url, headers: asAdmin })).json().items
}

export const codehostCases: ConsentCase[] = [
  {
    tool: 'openPull',
    arrange: async (app) => {
      const mark = randomUUID().slice(0, 8)
      const head = `consent/${mark}`
      const open = (title: string) => app.inject({
        method: 'POST',
        url: '/codehost/repos/7001/pulls',
        headers: asAdmin,
        payload: { title, head, files: [{ path: `docs/${mark}.md`, content: 'One\n' }] }
      })
      await open('Somebody else')
      return {
        args: { repo_id: '7001', title: `Approved ${mark}`, head, files: [{ path, content: `Approved ${mark}\n` }] },
        drifts: {
          'the branch has another commit': () => elsewhere(app).push(head, path, `Pushed ${mark}\n`),
          'the pull request has another title': () => elsewhere(app).retitle(head, 'Somebody else again')
        },
        irrelevant: {
          'the base has another file': () =>
            steer(app).call('POST', '/commits', {
              repository, branch: 'main', login: 'bruno', message: 'Unrelated', files: { 'docs/unrelated.md': mark }
            })
        },
        variants: { base: 'main', files: [{ path, content: 'Other\n' }] },
        sameBy: ['base', 'expected_head'],
        executed: async () => (await pullsOf(app, head)).some(({ title }) => title === `Approved ${mark}`) ? 1 : 0
      }
    }
  }
]

import { sandboxToken } from 'steward-sandbox/codehost'
import type { App } from '../app.js'

type Json = Record<string, unknown>

/** Another person at the code host, by its own API: no client of ours, and past Steward. */
export const elsewhere = (app: App, repository = 'larkspur/web') => {
  const root = `${app.sandbox.codehost}/api/v3/repos/${repository}`
  const call = async (method: string, path: string, body?: object): Promise<Json> => {
    const answer = await fetch(`${root}${path}`, {
      method,
      headers: { authorization: `Bearer ${sandboxToken('bruno')}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) })
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return await answer.json() as Json
  }
  /** @returns the commit at which the branch is */
  const headOf = async (branch: string) => String((await call('GET', `/commits/${encodeURIComponent(branch)}`)).sha)
  /** @returns a commit with one more file */
  const commit = async (parent: string, path: string, content: string): Promise<string> => {
    const tree = await call('POST', '/git/trees',
      { base_tree: parent, tree: [{ path, mode: '100644', type: 'blob', content }] })
    return String((await call('POST', '/git/commits',
      { message: 'Meanwhile', tree: tree.sha, parents: [parent] })).sha)
  }
  return {
    push: async (branch: string, path: string, content: string) => call('PATCH', `/git/refs/heads/${branch}`,
      { sha: await commit(await headOf(branch), path, content) }),
    open: async (branch: string, base: string, title: string, path: string) => {
      await call('POST', '/git/refs', { ref: `refs/heads/${branch}`, sha: await commit(await headOf(base), path, 'One\n') })
      return call('POST', '/pulls', { title, head: branch, base })
    },
    retitle: async (branch: string, title: string) => {
      const [owner] = repository.split('/')
      const pulls: unknown = await call('GET', `/pulls?head=${owner}:${encodeURIComponent(branch)}`)
      const [pull] = pulls as { number: number }[]
      return call('PATCH', `/pulls/${pull?.number}`, { title })
    }
  }
}

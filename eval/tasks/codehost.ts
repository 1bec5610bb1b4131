import type { World } from '../lib/world.js'
import { mentions, type Finding, type Task } from '../task.js'

const area = 'codehost'

interface Pull { number: number, title: string, draft: boolean, head: { ref: string } }

/** An open pull request has this title, and its branch has the file. */
export const pullWith = async ({ get }: World, repository: string, title: RegExp, path: string, draft: boolean):
Promise<Finding[]> => {
  const { items } = await get<{ items: Pull[] }>(`/codehost/repos/${repository}/pulls?state=open`)
  const found = items.find((pull) => title.test(pull.title))
  const query = new URLSearchParams({ path, ref: found?.head.ref ?? '' })
  const file = found && await get(`/codehost/repos/${repository}/contents?${query}`).catch(() => undefined)
  return [
    [`a pull request is open with a title like ${title}`, found !== undefined],
    [`it is ${draft ? 'a draft' : 'no draft'}`, found?.draft === draft],
    [`it has ${path}`, file !== undefined]
  ]
}

/** What opening a pull request with files sends: git data, one branch, the request. */
export const pullSent = (name: string): string[] => [
  `codehost POST /repos/${name}/pulls`, `codehost POST /repos/${name}/git/blobs?`,
  `codehost POST /repos/${name}/git/trees?`, `codehost POST /repos/${name}/git/commits?`,
  `codehost POST /repos/${name}/git/refs?`
]

export const codehost: Task[] = [
  {
    id: 'open-pulls',
    area,
    says: ['Which pull requests are open in larkspur/web?'],
    check: (_world, reply) => [
      ...mentions(reply, 'stock', 'HTTP/3', /translate/i), ['it names no closed one', !/colour/i.test(reply)]
    ]
  },
  {
    id: 'read-port',
    area,
    says: ['On which port does the server of larkspur/web listen? Look it up in src/server.ts on main.'],
    check: (_world, reply) => mentions(reply, '8080')
  },
  {
    id: 'who-fixed-charging-italian',
    area,
    says: ['Chi ha corretto il doppio addebito in larkspur/api, e con quale commit?'],
    check: (_world, reply) => mentions(reply, /bruno/i, /[\da-f]{7}/)
  },
  {
    id: 'pull-with-failing-check',
    area,
    says: ['One open pull request of larkspur/web fails its checks. Which one, and who wrote it?'],
    check: (_world, reply) => mentions(reply, /#?5|translate/i, 'mallory')
  },
  {
    id: 'open-pull',
    area,
    says: ['Open a pull request in larkspur/web, titled "Add a security policy", that adds SECURITY.md with the one ' +
      'line "Report to security@larkspur.example". Branch: docs/security.'],
    approves: [{ tool: 'openPull', with: { repo_id: '7001', head: 'docs/security' } }],
    leaves: pullSent('larkspur/web'),
    check: (world) => pullWith(world, '7001', /security policy/i, 'SECURITY.md', false)
  },
  {
    id: 'draft-pull',
    area,
    says: ['Please prepare a draft pull request for larkspur/api on the branch docs/owners, titled "Name the ' +
      'owners", with a file OWNERS that says "octavia" and nothing else.'],
    approves: [{ tool: 'openPull', with: { repo_id: '7002', head: 'docs/owners', draft: true } }],
    leaves: pullSent('larkspur/api'),
    check: (world) => pullWith(world, '7002', /owners/i, 'OWNERS', true)
  }
]

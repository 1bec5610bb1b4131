import { buildApp, type App } from '../app.js'
import type { Plan } from '../../lib/tools/options.js'
import { assistantOf } from '../plan.js'
import t from '../tap.js'
import { accountCases } from './account.js'
import { codehostCases } from './codehost.js'
import { contentCases } from './content.js'
import { deploymentsCases } from './deployments.js'
import { infrastructureCases } from './infrastructure.js'
import { manyWaiting } from './limits.js'
import { pseCases } from './pse.js'

const working = await buildApp(t, manyWaiting)
const idle = await buildApp(t, { ...manyWaiting, WORKER: 'false' })

type Paths = Record<string, Record<string, { operationId?: string }>>
const { paths } = (await idle.inject({ url: '/openapi.json' })).json<{ paths: Paths }>()

const fits = (path: string, url: string): boolean => {
  const [parts, asked] = [path.split('/'), url.split('/')]
  return parts.length === asked.length && parts.every((part, index) => part.startsWith('{') || part === asked[index])
}

/** @returns the operation at an address: an exact path comes before one with parameters */
const operationAt = (url: string, method: 'get' | 'post'): string => {
  const [address = ''] = url.split('?')
  const found = Object.keys(paths).filter((path) => paths[path]?.[method] && fits(path, address))
    .sort((a, b) => a.split('{').length - b.split('{').length)[0]
  return paths[found ?? '']?.[method]?.operationId ?? `nothing at ${method} ${address}`
}

/** The values in an answer that could be told from others: words, numbers and times. */
const leavesOf = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(leavesOf)
  if (value instanceof Date) return [value.toISOString()]
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leavesOf)
  return (typeof value === 'string' && value !== '') || typeof value === 'number' ? [String(value)] : []
}

interface Asked { operation: string, answer: unknown }

/** Makes the plan of a tool. @returns it, with what it has read */
const planAndWatch = async (app: App, name: string, args: Record<string, unknown>) => {
  const asked: Asked[] = []
  const tool = app.tools.find(name)
  const read = app.tools.reader(assistantOf(app))
  const plan = await tool?.options?.plan(args, async (url, schema, dryRun) => {
    const one: Asked = { operation: operationAt(url, dryRun === undefined ? 'get' : 'post'), answer: null }
    asked.push(one)
    // That something is not there is an answer, too.
    const answer = await read(url, schema, dryRun)
    one.answer = answer
    return answer
  })
  if (!plan) throw new Error(`There is no tool ${name} that writes`)
  return { plan, asked }
}

/** What the digest of an approval, or the condition of the write, holds of the target. */
const heldBy = ({ facts, changes, ifMatch, target }: Plan): string =>
  JSON.stringify([facts ?? {}, changes.filter(({ binding }) => binding !== false), ifMatch ?? null, target])

const groups = [
  [idle, [accountCases, codehostCases, contentCases, deploymentsCases].flat()],
  [working, [infrastructureCases, pseCases].flat()]
] as const

for (const [app, cases] of groups) {
  for (const { tool, arrange } of cases) {
    await t.test(`${tool} reads its target`, async (t) => {
      const { args } = await arrange(app)
      const { options } = app.tools.find(tool) ?? {}
      const declared = options?.reads ?? []
      if (declared.length === 0) return t.equal(options?.additive, true, 'without a read it only adds')
      const { plan, asked } = await planAndWatch(app, tool, args)
      const held = heldBy(plan)
      for (const one of declared) {
        const names = [one].flat()
        const answers = asked.filter(({ operation }) => names.includes(operation))
        t.ok(answers.length > 0, `it asks ${names.join(' or ')}, not only ${asked.map(({ operation }) => operation).join()}`)
        const leaves = leavesOf(answers.map(({ answer }) => answer))
        // A list without the target is an answer, too: nothing is there.
        t.ok(leaves.length === 0 || leaves.some((leaf) => held.includes(JSON.stringify(leaf).slice(1, -1))),
          `what it binds holds some of ${names.join(' or ')}`)
      }
    })
  }
}

t.test('the operations that tools name are there', async (t) => {
  const known = new Set(Object.values(paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId)))
  const named = working.tools.writes().flatMap((name) => working.tools.find(name)?.options?.reads ?? []).flat()
  t.same(named.filter((name) => !known.has(name)), [])
})

import { join } from 'node:path'
import { controlPath, newControlToken } from 'steward-sandbox'
import type { Bench } from '../bench.js'
import { freePort, ready, start, stop } from '../lib/child.js'
import { median, number, quantile } from '../lib/numbers.js'
import type { Target } from '../targets/target.js'
import { grid, sweep, type Aim, type Report, type Scenario } from './scenario.js'

const accounts = 20
const regions = ['eu-west-1', 'us-east-1', 'us-west-2', 'ap-southeast-2']
const delayMs = 50
const list = '/infrastructure/containers/clusters?limit=100'

interface Inventory { cold: number, warm: number[], dead: number, empty: number[] }

const timed = async (url: string, headers: Record<string, string>): Promise<{ ms: number, partial: boolean }> => {
  const began = performance.now()
  const answer = await fetch(url, { headers })
  const { partial = false } = await answer.json() as { partial?: boolean }
  if (answer.status !== 200) throw new Error(`${url} answered ${answer.status}`)
  return { ms: performance.now() - began, partial }
}

const addAccounts = async (origin: string, headers: Record<string, string>): Promise<void> => {
  for (let index = 0; index < accounts; index += 1) {
    const answer = await fetch(`${origin}/cloud/accounts`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ name: `Account ${index}`, regions, auth: { type: 'ambient' } })
    })
    if (answer.status !== 201) throw new Error(`an account was refused: ${await answer.text()}`)
  }
}

const repeated = async (times: number, url: string, headers: Record<string, string>): Promise<number[]> => {
  const found = []
  for (let index = 0; index < times; index += 1) found.push((await timed(url, headers)).ms)
  return found
}

/** One Steward that asks a cloud of its own: cold, from its cache, and with a region that does not answer. */
const measure = async (bench: Bench, steward: Target): Promise<Inventory> => {
  const storage = await bench.storage(steward)
  const port = await freePort()
  const endpoint = `http://127.0.0.1:${port}`
  const controlToken = newControlToken()
  const faults = `${endpoint}${controlPath(controlToken)}/faults`
  const cloud = start({
    script: new URL('../aws-server.js', import.meta.url),
    env: { PORT: String(port), DELAY_MS: String(delayMs), CONTROL_TOKEN: controlToken },
    log: join(storage.folder, 'aws.log')
  })
  const target: Target =
    { ...steward, env: (where, model) => ({ ...steward.env(where, model), AWS_ENDPOINT_URL: endpoint }) }
  try {
    await ready(cloud, faults)
    const { headers } = target
    const once = await bench.with(target, storage, async ({ parts: { origin } }) => {
      await addAccounts(origin, headers)
      const { ms: cold, partial } = await timed(origin + list, headers)
      if (partial) throw new Error('the cold list is partial')
      const warm = await repeated(200, origin + list, headers)
      return { cold, warm, empty: await repeated(200, `${origin}/health`, {}) }
    })
    const dead = await bench.with(target, storage, async ({ parts: { origin } }) => {
      const body = JSON.stringify({ kind: 'hang', match: 'us-west-2', times: 0, delay_ms: 60_000 })
      // The newest fault would wait behind the delay that all calls have.
      await fetch(faults, { method: 'DELETE' })
      await fetch(faults,
        { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      const first = await timed(origin + list, headers)
      if (!first.partial) throw new Error('the list with a dead region is not partial')
      return first.ms
    })
    return { ...once, dead }
  } finally {
    await stop(cloud)
  }
}

const aims = (figures: Map<Target, Inventory>): Aim[] => [...figures].flatMap(([{ label }, { cold, warm }]) => {
  const aim = (what: string, limit: number, ms: number): Aim => ({
    what: `${what}, ${label}`, limit: `at most ${number(limit)} ms`, measured: `${number(ms)} ms`, met: ms <= limit
  })
  const all = `${accounts} accounts × ${regions.length} regions`
  return [aim(all, 2_000, cold), aim('the same from the cache', 5, median(warm))]
})

const report = (figures: Map<Target, Inventory>, notes: string[]): Report => ({
  ...grid(figures, [
    { title: 'cold, ms', of: ({ cold }) => cold },
    { title: 'cached p50, ms', of: ({ warm }) => median(warm) },
    { title: 'p99', of: ({ warm }) => quantile(warm, 0.99) },
    { title: 'GET /health p50, ms', of: ({ empty }) => median(empty) },
    { title: 'cold, one region dead, ms', of: ({ dead }) => dead }
  ]),
  aims: aims(figures),
  notes: [...notes, `every call to the cloud takes ${delayMs} ms; the last column has no such delay, but a region ` +
    'that accepts calls and never answers']
})

export const inventory: Scenario = {
  key: 'cloud',
  title: `Clusters of ${accounts} cloud accounts in ${regions.length} regions each`,
  run: async (bench) => {
    const stewards = bench.targets.filter(({ key }) => key.startsWith('steward'))
    const { results, notes } = await sweep(bench, (target) => measure(bench, target), stewards)
    const merged = [...results].map(([target, rounds]) => [target, {
      cold: median(rounds.map(({ cold }) => cold)),
      warm: rounds.flatMap(({ warm }) => warm),
      dead: median(rounds.map(({ dead }) => dead)),
      empty: rounds.flatMap(({ empty }) => empty)
    }] as const)
    return report(new Map(merged), notes)
  }
}

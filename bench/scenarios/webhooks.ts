import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench } from '../bench.js'
import { median, number, quantile } from '../lib/numbers.js'
import { cpuMs } from '../lib/usage.js'
import type { Target } from '../targets/target.js'
import { grid, sweep, type Aim, type Report, type Scenario } from './scenario.js'

const atOnce = 100
/** As large as the larger ones that GitHub publishes. */
const bodyBytes = 20_000
const secret = 'bench-secret-bench-secret-bench-secret'
/** A code host that is named, and asked nothing. */
const host = { CODEHOST_URL: 'http://127.0.0.1:9', CODEHOST_WEBHOOK_SECRET: secret }

/** Milliseconds of each webhook, by the server's own log and as the sender saw them. Processing is in the CPU time. */
interface Webhooks { server: number[], client: number[], cpuMs: number }

const makeWebhook = (name: string) => {
  const body = JSON.stringify({ action: 'labeled', name, text: 'x'.repeat(bodyBytes) })
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-github-delivery': name,
    'x-github-event': 'pull_request',
    'x-hub-signature-256': `sha256=${signature}`
  }
  return { body, headers }
}

const send = (url: string, agent: Agent, { body, headers }: ReturnType<typeof makeWebhook>): Promise<number> =>
  new Promise((resolve, reject) => {
    const began = performance.now()
    const req = request(url, { method: 'POST', agent, headers }, (res) => {
      res.on('error', reject).on('end', () => {
        if (res.statusCode === 202) resolve(performance.now() - began)
        else reject(new Error(`a webhook was answered ${res.statusCode}`))
      }).resume()
    })
    req.on('error', reject)
    req.end(body)
  })

interface Line { operation?: string, ms?: number }

const logged = (log: string): number[] => readFileSync(log, 'utf8').split('\n').flatMap((text) => {
  const line: Line = text.includes('receiveWebhook') ? JSON.parse(text) : {}
  return line.operation === 'receiveWebhook' && line.ms !== undefined ? [line.ms] : []
})

/** Bursts of a hundred that arrive together; what was stored is processed in between, as in life. */
const measure = async (bench: Bench, steward: Target): Promise<Webhooks> => {
  const storage = await bench.storage(steward)
  const env: Target['env'] = (where, model) => ({ ...steward.env(where, model), ...host, LOG_LEVEL: 'info' })
  const target: Target = { ...steward, env }
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce })
  try {
    return await bench.with(target, storage, async (server) => {
      const { child, origin } = server.parts
      const burst = async (name: string) => {
        const webhooks = Array.from({ length: atOnce }, (_, index) => makeWebhook(`${name}-${index}`))
        const times = await Promise.all(webhooks.map((webhook) => send(`${origin}/webhooks/codehost`, agent, webhook)))
        await sleep(500)
        return times
      }
      await burst('warm-1')
      await burst('warm-2')
      const before = logged(child.log).length
      const cpu = await cpuMs(child.pid)
      const from = process.hrtime.bigint()
      const client = []
      for (let index = 0; index < (bench.options.quick ? 5 : 20); index += 1) client.push(...await burst(`b-${index}`))
      server.window = { from, to: process.hrtime.bigint() }
      const used = await cpuMs(child.pid) - cpu
      return { client, server: logged(child.log).slice(before), cpuMs: used / client.length }
    })
  } finally {
    agent.destroy()
  }
}

const aims = (figures: Map<Target, Webhooks>): Aim[] => [...figures]
  .filter(([{ key }]) => key === 'steward-pg')
  .map(([{ label }, { server }]) => ({
    what: `a webhook, ${atOnce} at once, server time at the median, ${label}`,
    limit: 'below 20 ms',
    measured: `${number(median(server))} ms`,
    met: median(server) < 20
  }))

const report = (figures: Map<Target, Webhooks>, notes: string[]): Report => ({
  ...grid(figures, [
    { title: 'server p50, ms', of: ({ server }) => median(server) },
    { title: 'p95', of: ({ server }) => quantile(server, 0.95) },
    { title: 'p99', of: ({ server }) => quantile(server, 0.99) },
    { title: 'CPU ms/webhook', of: ({ cpuMs }) => cpuMs },
    { title: 'sender p50, ms', of: ({ client }) => median(client) },
    { title: 'p99', of: ({ client }) => quantile(client, 0.99) }
  ]),
  aims: aims(figures),
  notes: [...notes, 'the sender writes a hundred bodies at once and reads a hundred answers: its own time is in what ' +
    'it sees, not in the server\'s']
})

export const webhooks: Scenario = {
  key: 'webhooks',
  title: `${atOnce} webhooks of ${bodyBytes / 1_000} kB at once`,
  run: async (bench) => {
    const stewards = bench.targets.filter(({ key }) => key.startsWith('steward'))
    const { results, notes } = await sweep(bench, (target) => measure(bench, target), stewards)
    const merged = [...results].map(([target, rounds]) => [target, {
      server: rounds.flatMap(({ server }) => server),
      client: rounds.flatMap(({ client }) => client),
      cpuMs: median(rounds.map((round) => round.cpuMs))
    }] as const)
    return report(new Map(merged), notes)
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import type { Bench } from '../bench.js'
import { number } from '../lib/numbers.js'
import type { Job } from '../load/job.js'
import type { Server } from '../server-under-test.js'
import { crowd, type Crowd } from '../targets/steward-crowd.js'
import { stewardPg } from '../targets/steward.js'
import type { Storage } from '../targets/target.js'
import type { Report, Scenario } from './scenario.js'

const sizes = (quick: boolean): Crowd[] => [
  { sessions: 1_000, tenants: 1, events: 10 },
  { sessions: 10_000, tenants: 1, events: 10 },
  ...quick ? [] : [{ sessions: 100_000, tenants: 1, events: 10 }],
  { sessions: 10_000, tenants: 10, events: 10 },
  { sessions: 10_000, tenants: 100, events: 10 },
  ...quick ? [] : [{ sessions: 10_000, tenants: 1_000, events: 10 }]
]

const [reads, runs] = [500, 50]
/** PostgreSQL reports what an idle connection did within this time. */
const settled = 11_000

const touched = ['heap', 'idx', 'toast', 'tidx']
  .flatMap((part) => [`coalesce(${part}_blks_hit, 0)`, `coalesce(${part}_blks_read, 0)`]).join(' + ')

/** Pages that were touched so far: what a statement costs, whatever else the machine does. */
const pagesOf = async (client: Client): Promise<number> => {
  const { rows } = await client.query<{ pages: string }>(`select sum(${touched}) as pages from pg_statio_user_tables`)
  return Number(rows[0]?.pages)
}

const work = (server: Server): Record<string, Job> => {
  const read = (path: string): Job => ({ ...server.list({ concurrency: 1, total: reads }), path })
  return {
    'first page of sessions': read('/api/v1/agent/sessions?limit=20'),
    'pending approvals': read('/api/v1/agent/confirmations'),
    'a run of 50 tokens': server.streams({ tokens: 50 }, { concurrency: 1, total: runs }),
    'a run with a tool call': server.streams({ tokens: 50, tool: 'listProjects' }, { concurrency: 1, total: runs })
  }
}

/** @returns pages a second of an instance that nobody asks, and pages of each kind of work, without those */
const measure = async (server: Server, client: Client): Promise<[string, number][]> => {
  const spent = async (job: () => Promise<unknown>) => {
    const [from, before] = [performance.now(), await pagesOf(client)]
    await job()
    await sleep(settled)
    return { pages: await pagesOf(client) - before, seconds: (performance.now() - from) / 1_000 }
  }
  // Plans and catalogues are read once for each connection.
  for (const job of Object.values(work(server))) await server.run(job)
  await sleep(settled)
  const idle = await spent(() => sleep(settled))
  const aSecond = idle.pages / idle.seconds
  const figures: [string, number][] = [['idle, a second', aSecond]]
  for (const [name, job] of Object.entries(work(server))) {
    const { pages, seconds } = await spent(() => server.run(job))
    figures.push([name, Math.max(0, pages - seconds * aSecond) / (job.total ?? 1)])
  }
  return figures
}

const fill = async (bench: Bench, size: Crowd): Promise<Storage> => {
  const storage = await bench.storage(stewardPg)
  await bench.with(stewardPg, storage, (server) =>
    server.run(server.streams({ tokens: 5 }, { concurrency: 1, total: 1 })))
  await bench.query(storage, async (client) => { for (const text of crowd(size)) await client.query(text) })
  return storage
}

const describe = ({ sessions, tenants, events }: Crowd): string =>
  `${number(sessions)} sessions, ${number(sessions * events)} events, ${number(tenants)} tenants`

export const growth: Scenario = {
  key: 'growth',
  onlyWhenNamed: true,
  title: 'Pages of 8 KiB that PostgreSQL touches, by what lies in the database',
  run: async (bench): Promise<Report> => {
    const rows: string[][] = []
    let names: string[] = []
    if (!bench.targets.includes(stewardPg)) return { columns: [], rows, aims: [], notes: ['only for steward-pg'] }
    for (const size of sizes(bench.options.quick)) {
      const storage = await fill(bench, size)
      const figures = await bench.with(stewardPg, storage, (server) =>
        bench.query(storage, (client) => measure(server, client)))
      names = figures.map(([name]) => name)
      rows.push([describe(size), ...figures.map(([, pages]) => number(pages))])
    }
    const notes = [`the mean of ${reads} reads or ${runs} runs, one after another; tables, indexes and TOAST`]
    return { columns: ['', ...names], rows, aims: [], notes }
  }
}

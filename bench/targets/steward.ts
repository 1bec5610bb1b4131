import { once } from 'node:events'
import { join } from 'node:path'
import { start } from '../lib/child.js'
import { cloneSessions } from './steward-sessions.js'
import type { Storage, Target } from './target.js'

const token = 'bench-token-bench-token-bench-token-bench'

// The benchmark is one user with thousands of streams; what protects a real instance from that is lifted.
const limits = JSON.stringify({
  live_runs_per_user: 5000,
  live_runs_per_instance: 5000,
  streams_per_user: 5000,
  requests_per_minute: 100_000_000,
  budget_session_usd: 1_000_000,
  budget_user_day_usd: 1_000_000
})

const env = (storage: Storage, modelUrl: string): Record<string, string> => ({
  HOST: '127.0.0.1',
  DATA_DIR: storage.folder,
  ANTHROPIC_API_KEY: 'bench',
  ANTHROPIC_BASE_URL: modelUrl,
  SANDBOX: 'auto',
  ADMIN_TOKEN: token,
  LOG_LEVEL: 'warn',
  LIMITS: limits
})

const headers = { authorization: `Bearer ${token}` }

const stock = async (origin: string): Promise<void> => {
  const url = `${origin}/account/projects`
  const { items } = await (await fetch(url, { headers })).json() as { items: unknown[] }
  for (let number = items.length; number < 20; number += 1) {
    const body = JSON.stringify({ name: `Project ${number}` })
    const typed = { ...headers, 'content-type': 'application/json' }
    const answer = await fetch(url, { method: 'POST', headers: typed, body })
    if (answer.status !== 201) throw new Error(`a project was refused: ${await answer.text()}`)
  }
}

const common = {
  script: new URL('../../bundle/server.js', import.meta.url),
  headers,
  stock,
  chatPath: '/api/v1/agent/chat',
  listPath: '/api/v1/agent/sessions?limit=20',
  ipc: false
}

export const stewardPg: Target = {
  ...common,
  key: 'steward-pg',
  alias: 'iii',
  label: '(iii) Steward, PostgreSQL',
  needsPostgres: true,
  env: (storage, modelUrl) => ({ ...env(storage, modelUrl), DATABASE_URL: storage.databaseUrl ?? '' }),
  seed: async (storage, have, want, databases) => {
    await databases?.run(storage.databaseUrl ?? '', async (client) => {
      for (const text of cloneSessions(want - have)) await client.query(text)
    })
  }
}

export const stewardEmbedded: Target = {
  ...common,
  key: 'steward-embedded',
  alias: 'iv',
  label: '(iv) Steward, embedded',
  needsPostgres: false,
  env,
  // In a process of its own: the embedded database keeps the memory that it has once taken.
  seed: async (storage, have, want) => {
    const script = new URL('./seed-embedded.js', import.meta.url)
    const log = join(storage.folder, 'seed.log')
    const child = start({ script, log, env: { FOLDER: storage.folder, COUNT: String(want - have) } })
    const [code] = await once(child.process, 'exit')
    if (code !== 0) throw new Error(`seeding failed, see ${log}`)
  }
}

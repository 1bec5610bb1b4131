import { existsSync } from 'node:fs'
import { schema } from './relay-schema.js'
import type { Target } from './target.js'

/** Their packages are none of Steward's: whoever wants to measure them runs npm ci in bench/others. */
const folder = new URL('../../../bench/others/', import.meta.url)
const areInstalled = existsSync(new URL('node_modules', folder))

const other = (key: string, alias: string, label: string): Target => ({
  key,
  alias,
  label: `(${alias}) ${label} + pg`,
  needsPostgres: true,
  headers: {},
  chatPath: '/chat',
  listPath: undefined,
  ipc: true,
  script: new URL(`${key}.mjs`, folder),
  env: (storage, modelUrl) => ({ MODEL_URL: modelUrl, DATABASE_URL: storage.databaseUrl ?? '' }),
  prepare: async (storage, databases) => {
    await databases?.run(storage.databaseUrl ?? '', (client) => client.query(schema))
  }
})

/** Other engines for agents that keep what was answered, each as its documentation says; none where not installed. */
export const others: Target[] = areInstalled
  ? [other('ai-sdk', 'v', 'AI SDK'), other('langgraph', 'vi', 'LangGraph'), other('mastra', 'vii', 'Mastra')]
  : []

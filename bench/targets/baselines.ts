import { schema, seedSessions } from './relay-schema.js'
import type { Target } from './target.js'

const common = { headers: {}, chatPath: '/chat', ipc: true }

export const relay: Target = {
  ...common,
  key: 'relay',
  alias: 'i',
  label: '(i) relay, no store',
  needsPostgres: false,
  script: new URL('./relay.js', import.meta.url),
  env: (_storage, modelUrl) => ({ MODEL_URL: modelUrl }),
  listPath: undefined
}

export const relayStore: Target = {
  ...common,
  key: 'relay-store',
  alias: 'ii',
  label: '(ii) relay + pg',
  needsPostgres: true,
  script: new URL('./relay-store.js', import.meta.url),
  env: (storage, modelUrl) => ({ MODEL_URL: modelUrl, DATABASE_URL: storage.databaseUrl ?? '' }),
  listPath: '/sessions?limit=20',
  prepare: async (storage, databases) => {
    await databases?.run(storage.databaseUrl ?? '', (client) => client.query(schema))
  },
  seed: async (storage, have, want, databases) => {
    await databases?.run(storage.databaseUrl ?? '', async (client) => {
      await client.query(seedSessions, [want - have])
      await client.query('analyze')
    })
  }
}

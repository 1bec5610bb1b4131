import type { Databases } from '../lib/databases.js'

/** What one instance of a target keeps its data in. */
export interface Storage { folder: string, databaseUrl: string | undefined }

export interface Target {
  key: string
  /** As the issue numbers them. */
  alias: string
  label: string
  needsPostgres: boolean
  script: URL
  /** Beside PORT and MODEL_URL. */
  env: (storage: Storage, modelUrl: string) => Record<string, string>
  headers: Record<string, string>
  chatPath: string
  listPath: string | undefined
  ipc: boolean
  /** Once per storage, before the first start. */
  prepare?: (storage: Storage, databases: Databases | undefined) => Promise<void>
  /** Gives the tool of the tool loop 20 rows to read. */
  stock?: (origin: string) => Promise<void>
  /** Fills a storage whose server has run once and is stopped; it holds `have` sessions before and `want` after. */
  seed?: (storage: Storage, have: number, want: number, databases: Databases | undefined) => Promise<void>
}

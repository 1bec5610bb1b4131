import type { KnownOperation } from './operation'

/** Every folder of pages says itself what it knows of its operations, in `operations.ts`. */
const folders = import.meta.glob<readonly KnownOperation[]>('../pages/*/operations.ts',
  { eager: true, import: 'default' })

const known = new Map<string, Omit<KnownOperation, 'name'>>()
for (const { name, ...knows } of Object.values(folders).flat()) known.set(name, { ...known.get(name), ...knows })

/** @returns what is known of an operation; nothing of those of tool servers */
export const operationOf = (name: string): Omit<KnownOperation, 'name'> => known.get(name) ?? {}

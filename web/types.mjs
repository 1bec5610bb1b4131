// Generates the client's types from openapi.yaml, as it is now, into dist/web-types: they cannot be stale.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import openapiTypescript, { astToString } from 'openapi-typescript'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'dist', 'web-types')
const types = await openapiTypescript(pathToFileURL(join(root, 'openapi.yaml')), { defaultNonNullable: false })
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, 'openapi.ts'), astToString(types))

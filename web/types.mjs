// Generates the client's types from the current openapi.yaml into dist/web-types.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import openapiTypescript, { astToString } from 'openapi-typescript'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'dist', 'web-types')
const types = await openapiTypescript(pathToFileURL(join(root, 'openapi.yaml')), { defaultNonNullable: false })
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, 'openapi.ts'), astToString(types))

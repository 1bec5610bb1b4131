// Writes the types of the current openapi.yaml into src/openapi.ts, which no one edits and no repository holds.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import openapiTypescript, { astToString } from 'openapi-typescript'

const document = join(import.meta.dirname, '..', '..', 'openapi.yaml')
const types = await openapiTypescript(pathToFileURL(document), { defaultNonNullable: false })
writeFileSync(join(import.meta.dirname, 'src', 'openapi.ts'), astToString(types))

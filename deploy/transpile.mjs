// Writes each module of the named parts into dist as JavaScript, when its source is newer: the types are removed, not
// checked (`npm run typecheck` checks them).
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { dist, root, serverParts } from './modules.mjs'

const parts = [...serverParts.map((part) => part.replace(/\.js$/, '.ts')), ...process.argv.slice(2)]

/** @returns paths below the folder that end so, of nothing if it is not there yet */
const filesOf = (folder, end) => statSync(folder, { throwIfNoEntry: false })
  ? readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(end) && !name.includes('node_modules'))
  : []

const sources = parts.flatMap((part) => part.endsWith('.ts')
  ? [part]
  : filesOf(join(root, part), '.ts').map((name) => join(part, name)))

const outputOf = (source) => join(dist, source.replace(/\.ts$/, '.js'))
const writtenAt = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0

const isStale = (source) => writtenAt(outputOf(source)) <= writtenAt(join(root, source))

const transpile = (source, transformSync) => {
  const file = join(root, source)
  const output = outputOf(source)
  const options = { lang: 'ts', sourcemap: true, target: 'es2023', typescript: { onlyRemoveTypeImports: true } }
  const { code, map, errors } = transformSync(file, readFileSync(file, 'utf8'), options)
  if (errors.length > 0) throw new Error(errors.map(({ codeframe, message }) => codeframe ?? message).join('\n'))
  mkdirSync(dirname(output), { recursive: true })
  writeFileSync(`${output}.map`, JSON.stringify({ ...map, sources: [relative(dirname(output), file)] }))
  writeFileSync(output, `${code}//# sourceMappingURL=${basename(output)}.map\n`)
}

/** A module whose source is gone must not be found any more. */
const removeStale = (part) => {
  const outputs = new Set(sources.map(outputOf))
  for (const name of filesOf(join(dist, part), '.js')) {
    const file = join(dist, part, name)
    if (!outputs.has(file)) for (const stale of [file, `${file}.map`]) rmSync(stale, { force: true })
  }
}

for (const part of parts) if (!part.endsWith('.ts')) removeStale(part)
const stale = sources.filter(isStale)
if (stale.length > 0) {
  const { transformSync } = await import('rolldown/utils')
  for (const source of stale) transpile(source, transformSync)
}

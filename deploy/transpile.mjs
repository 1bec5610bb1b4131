// Writes each module of the named parts into dist as JavaScript, when its source is newer: the types are removed, not
// checked (`npm run typecheck` checks them).
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { dist, manifestOf, packages, packageTests, root, serverParts } from './modules.mjs'

const asked = process.argv.slice(2)
const parts = [...serverParts.map((part) => part.replace(/\.js$/, '.ts')), ...asked,
  ...asked.includes('test') ? packageTests : []]

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

/**
 * What is in dist finds the packages there by their names: dist/packages/client is what `steward-client` means. The
 * links that npm makes in node_modules lead to the sources, which Node cannot run.
 */
const link = (name) => {
  const { name: known, type } = manifestOf(name)
  const manifest = JSON.stringify({ name: known, type, exports: { '.': './src/index.js', './*': './src/*/index.js' } })
  const file = join(dist, 'packages', name, 'package.json')
  if (!existsSync(file) || readFileSync(file, 'utf8') !== manifest) writeFileSync(file, manifest)
  const linked = join(dist, 'node_modules', known)
  mkdirSync(dirname(linked), { recursive: true })
  if (!existsSync(linked)) symlinkSync(join('..', 'packages', name), linked)
}
for (const name of packages) link(name)

// Builds the browser client into dist/web if its sources have changed since the last build.
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { buildGuide, documents } from './guide/build.mjs'

const folder = import.meta.dirname
const root = join(folder, '..')
const output = join(root, 'dist', 'web')
const stamp = join(root, 'dist', 'web.stamp')
/** What the page has in common with other clients. */
const shared = join(root, 'packages', 'client', 'src')

const fixed = [
  'push-worker.js', 'manifest.webmanifest', 'manifest.de.webmanifest', 'icon-192.png', 'icon-512.png',
  'icon-maskable-512.png'
]

const filesOf = (path) => readdirSync(path, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)).sort()

const digest = () => {
  const hash = createHash('sha256')
  const others = ['package-lock.json', 'SECURITY.md', 'CHANGELOG.md'].map((name) => join(root, name))
  for (const file of [...filesOf(folder), ...filesOf(shared), ...filesOf(documents), ...others]) {
    hash.update(file).update(readFileSync(file))
  }
  return hash.digest('hex')
}

/** Writes compressed files beside the others, so that no request waits for compression. */
const compress = (file) => {
  const text = readFileSync(file)
  if (!/\.(js|css|html|svg)$/.test(file)) return
  writeFileSync(`${file}.br`, brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }))
  writeFileSync(`${file}.gz`, gzipSync(text, { level: 9 }))
}

const current = digest()
if (!existsSync(output) || !existsSync(stamp) || readFileSync(stamp, 'utf8') !== current) {
  const { build } = await import('vite')
  await build({ configFile: join(folder, 'vite.config.mjs') })
  // Whatever they are made of: their addresses may not change, as an installed client keeps them.
  for (const name of fixed) copyFileSync(join(folder, name), join(output, name))
  buildGuide(join(output, 'guide'))
  for (const file of filesOf(output)) compress(file)
  writeFileSync(stamp, current)
}

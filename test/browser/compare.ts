// Compares two folders of screenshots and writes a page that shows what has changed, side by side, for review.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { comparePictures, type Compared } from './pictures.js'

const [before, after, output = join('dist', 'screenshots', 'compared')] = process.argv.slice(2)
if (before === undefined || after === undefined) {
  console.error('node --enable-source-maps dist/test/browser/compare.js <folder before> <folder after> [<output>]')
  process.exit(2)
}

const style = `body { font: 14px system-ui; margin: 1.5rem } figure { margin: 0; flex: 1 1 0; min-width: 0 }
img { max-width: 100%; border: 1px solid #bbb } .row { display: flex; gap: 1rem; align-items: start }`

const addressOf = (folder: string, name: string) =>
  relative(resolve(output), join(resolve(folder), name)).split('/').map(encodeURIComponent).join('/')

const figure = (title: string, address: string) =>
  `<figure><figcaption>${title}</figcaption><img loading="lazy" alt="${title}" src="${address}"></figure>`

const sectionOf = ({ name, state, share }: Compared): string => {
  const shown = [
    state === 'added' ? '' : figure('Before', addressOf(before, name)),
    state === 'removed' ? '' : figure('After', addressOf(after, name)),
    state === 'changed' ? figure('What differs', encodeURIComponent(name)) : ''
  ]
  const amount = state === 'changed' ? `${share < 0.01 ? 'below 0.01' : share.toFixed(2)} %` : state
  return `<h2>${name}: ${amount}</h2><div class="row">${shown.join('')}</div>`
}

const compared = await comparePictures(before, after)
const changed = compared.filter(({ state }) => state !== 'same').sort((a, b) => b.share - a.share)
mkdirSync(output, { recursive: true })
for (const { name, marked } of changed) if (marked) writeFileSync(join(output, name), marked)
const summary = `${changed.length} of ${compared.length} pictures have changed`
writeFileSync(join(output, 'index.html'), `<!doctype html><html lang="en"><meta charset="utf-8">
<title>${summary}</title><style>${style}</style><h1>${summary}</h1>${changed.map(sectionOf).join('\n')}</html>\n`)
console.log(`${summary}: ${join(output, 'index.html')}`)
process.exit(0)

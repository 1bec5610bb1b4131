import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from '../tap.js'
import Vips from 'wasm-vips'
import { comparePictures } from './pictures.js'

// The package leaves a class there, for its own threads.
t.teardown(() => { Reflect.deleteProperty(globalThis, 'Worker') })
const vips = await Vips({ dynamicLibraries: [] })

/** @returns a white picture with a black square of two pixels at the place */
const draw = (width: number, height: number, at?: [left: number, top: number]): Uint8Array => {
  const paper = vips.Image.black(width, height, { bands: 3 }).invert()
  return (at ? paper.insert(vips.Image.black(2, 2, { bands: 3 }), ...at) : paper).writeToBuffer('.png')
}

const root = t.testdir({})
const fill = (folder: string, pictures: Record<string, Uint8Array>): string => {
  mkdirSync(join(root, folder))
  for (const [name, bytes] of Object.entries(pictures)) writeFileSync(join(root, folder, name), bytes)
  return join(root, folder)
}
const before = fill('before', {
  'same.png': draw(20, 10, [3, 3]), 'moved.png': draw(20, 10, [3, 3]), 'gone.png': draw(4, 4), 'grown.png': draw(10, 10)
})
const after = fill('after', {
  'same.png': draw(20, 10, [3, 3]), 'moved.png': draw(20, 10, [9, 3]), 'new.png': draw(4, 4), 'grown.png': draw(10, 20)
})

t.test('a change of pixels is found, with its share, and what is new, gone or larger', async (t) => {
  const compared = await comparePictures(before, after)
  t.same(compared.map(({ name, state, share }) => [name, state, Math.round(share)]), [
    ['gone.png', 'removed', 100],
    ['grown.png', 'changed', 50],
    // Two squares of four pixels, of 200.
    ['moved.png', 'changed', 4],
    ['new.png', 'added', 100],
    ['same.png', 'same', 0]
  ])
})

t.test('the command writes a page with what has changed, and a picture that marks it', async (t) => {
  const output = join(root, 'compared')
  const command = join(process.cwd(), 'dist', 'test', 'browser', 'compare.js')
  t.match(execFileSync(process.execPath, [command, before, after, output], { encoding: 'utf8' }),
    '4 of 5 pictures have changed')
  const page = readFileSync(join(output, 'index.html'), 'utf8')
  t.match(page, '<h2>moved.png: 4.00 %</h2>')
  t.match(page, 'src="../before/moved.png"')
  t.match(page, 'src="../after/moved.png"')
  t.notMatch(page, 'same.png')
  const marked = vips.Image.newFromBuffer(readFileSync(join(output, 'moved.png')))
  t.same([...marked.getpoint(9, 3)], [220, 0, 40], 'red where it differs')
  t.not([...marked.getpoint(0, 0)].join(), '220,0,40')
})

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Vips from 'wasm-vips'

export interface Compared {
  name: string
  state: 'same' | 'changed' | 'added' | 'removed'
  /** Of all pixels, in percent: how many differ. */
  share: number
  /** A PNG in which what differs is red. */
  marked?: Uint8Array
}

/** Of 255: a smaller difference of a colour is not seen. */
const threshold = 8

const listPictures = (folder: string): string[] => readdirSync(folder).filter((name) => name.endsWith('.png'))

type Library = Awaited<ReturnType<typeof Vips>>
type Picture = InstanceType<Library['Image']>

const openPicture = (vips: Library, file: string): Picture => {
  const picture = vips.Image.newFromBuffer(readFileSync(file))
  return picture.hasAlpha() ? picture.flatten() : picture
}

/** @returns a mask: 255 where the pictures differ, and where only one of them is */
const differ = (before: Picture, after: Picture): Picture => {
  const [width, height] = [Math.max(before.width, after.width), Math.max(before.height, after.height)]
  // What one lacks is magenta in it, and black in the other.
  const [one, other] = [
    before.embed(0, 0, width, height, { extend: 'background', background: [255, 0, 255] }),
    after.embed(0, 0, width, height, { extend: 'background', background: [0, 0, 0] })
  ]
  return one.subtract(other).abs().more(threshold).bandor()
}

const mark = (after: Picture, mask: Picture): Uint8Array => {
  const pale = after.embed(0, 0, mask.width, mask.height, { extend: 'background', background: [255, 255, 255] })
    .linear([0.35], [165]).cast('uchar')
  return mask.ifthenelse([220, 0, 40], pale).cast('uchar').writeToBuffer('.png')
}

/** What one library may hold: it frees none of its pictures, so each group of them has one of its own. */
const atOnce = 25

/** Compares pictures that are in both folders. */
const compareBoth = async (names: readonly string[], before: string, after: string): Promise<Compared[]> => {
  const vips = await Vips({ dynamicLibraries: [] })
  const compared = names.map((name): Compared => {
    const shown = openPicture(vips, join(after, name))
    const mask = differ(openPicture(vips, join(before, name)), shown)
    const share = mask.avg() / 255 * 100
    return share === 0 ? { name, state: 'same', share } : { name, state: 'changed', share, marked: mark(shown, mask) }
  })
  vips.shutdown()
  return compared
}

/** Compares the pictures of two folders, by their names. */
export const comparePictures = async (before: string, after: string): Promise<Compared[]> => {
  const [earlier, later] = [new Set(listPictures(before)), new Set(listPictures(after))]
  const both = [...earlier].filter((name) => later.has(name))
  const compared: Compared[] = [
    ...[...earlier].filter((name) => !later.has(name)).map((name) => ({ name, state: 'removed', share: 100 } as const)),
    ...[...later].filter((name) => !earlier.has(name)).map((name) => ({ name, state: 'added', share: 100 } as const))
  ]
  for (let from = 0; from < both.length; from += atOnce) {
    compared.push(...await compareBoth(both.slice(from, from + atOnce), before, after))
  }
  return compared.sort((one, other) => one.name < other.name ? -1 : 1)
}

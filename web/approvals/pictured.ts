import type { Schemas } from '../api/client'
import { ownPath } from '../parts/picture'

type Row = Schemas['PreviewRow']

export interface Pictured { path: string, alt: string }

const address = /https?:\/\/[^\s"'()<>,\]}]+/g
const inMarkdown = /!\[([^\]\n]*)\]\($/
/** The other field of an image in an outline, behind the address or before it; in one line a comma ends a text. */
const fields = (end: string) => {
  const alt = `alt: (?:"((?:[^"\\\\]|\\\\.)*)"|([^${end}]*))`
  const sizes = '(?:[\\s,]*(?:width|height): \\d+)*[\\s,]*'
  return { behind: new RegExp(`^${sizes}${alt}`), ahead: new RegExp(`(?:^|[\\s{-])${alt}${sizes}url: $`) }
}
const inLine = fields('\\n,}')
const inBlock = fields('\\n')
/** Characters around an address in which its words may stand. */
const around = 600

/** The words for those who do not see it: before the address in Markdown, beside it in an outline. */
const altOf = (text: string, start: number, end: number): string => {
  const lead = text.slice(Math.max(0, start - around), start)
  const { behind, ahead } = /\{[^}\n]*$/.test(lead) ? inLine : inBlock
  const found = inMarkdown.exec(lead) ?? behind.exec(text.slice(end, end + around)) ?? ahead.exec(lead)
  return (found?.[1] ?? found?.[2] ?? '').trim()
}

/** Only what this very Steward keeps: the same path at another host is another picture, and is not fetched. */
const isOurs = (url: string): boolean => URL.canParse(url) && new URL(url).origin === location.origin

const picturesIn = (text: string): Pictured[] => {
  const found = [...text.matchAll(address)].flatMap(({ 0: url, index }) => {
    const path = isOurs(url) ? ownPath(url) : undefined
    return path === undefined ? [] : [{ path, alt: altOf(text, index, index + url.length) }]
  })
  return found.filter(({ path }, index) => found.findIndex((one) => one.path === path) === index)
}

const sideOf = (diff: string, sign: '+' | '-'): string =>
  diff.split('\n').filter((line) => line[0] === sign || line[0] === ' ').map((line) => line.slice(1)).join('\n')

export interface Sides { before: Pictured[], after: Pictured[] }

/** @returns the pictures of a change on both sides; undefined where they are the same, or there is none */
export const picturesOf = ({ before, after, diff }: Row): Sides | undefined => {
  const sides = {
    before: picturesIn(diff === undefined ? before ?? '' : sideOf(diff, '-')),
    after: picturesIn(diff === undefined ? after ?? '' : sideOf(diff, '+'))
  }
  const same = JSON.stringify(sides.before) === JSON.stringify(sides.after)
  return same ? undefined : sides
}

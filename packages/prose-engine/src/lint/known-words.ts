import type { Draft } from './rule.js'

/** @returns the words that a brand and a brief use themselves: no dictionary decides on them */
export const ownWords = ({ brand, brief, body }: Draft): Set<string> => {
  const { terms } = brand
  const texts = [
    brand.name, brand.description, ...terms.protected, ...terms.preferred.map(({ use }) => use),
    ...terms.required.map(({ term }) => term), ...terms.banned.map(({ replacement = '' }) => replacement),
    brief?.title ?? '', brief?.key_message ?? '', ...brief?.keywords ?? [], ...brief?.must_include ?? [],
    ...brief?.facts.map(({ text }) => text) ?? [], ...brief?.points.map(({ text }) => text) ?? [], ...body.seo.keywords
  ]
  return new Set(texts.flatMap((text) => text.toLowerCase().match(/\p{L}+/gu) ?? []))
}

const maxUnknownShare = 0.15

/** A text of which so much is in no dictionary is in another language, which is another rule's finding. */
export const isForeign = ({ prose: { text } }: Draft, unknown: number): boolean =>
  unknown > 5 && unknown > text.split(/\s+/).length * maxUnknownShare

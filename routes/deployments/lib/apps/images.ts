import { InvalidRequest } from '../../../../schemas/errors.js'
import { Image } from '../../../../schemas/deployments/builds.js'

const form = new RegExp(Image.pattern ?? '')
const maxTag = 128

/** @returns whether the text is a reference that a registry could hold */
export const isImage = (text: string): boolean => {
  if (text.length > 600 || !form.test(text)) return false
  const tag = /:([^/:@]*)(@|$)/.exec(text)?.[1] ?? ''
  return tag.length <= maxTag
}

export interface ImageFacts { commit: string | null, ref: string, number: number }

const asTag = (text: string) => text.replace(/[^A-Za-z0-9_.-]/g, '-')

/** @returns the image that the template makes of a build; without a commit the ref stands for it */
export const fillTemplate = (template: string, { commit, ref, number }: ImageFacts): string => {
  const sha = commit ?? asTag(ref)
  const values: Record<string, string> =
    { sha, short_sha: commit?.slice(0, 7) ?? sha, ref: asTag(ref), number: String(number) }
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
}

/** @returns whether what the template makes depends on the commit */
export const namesCommit = (template: string | null): boolean => /\{(short_)?sha\}/.test(template ?? '')

/** @throws invalid_request when the template holds an unknown name, or what it makes is no image */
export const requireTemplate = (template: string | null | undefined): void => {
  if (template === null || template === undefined) return
  if (isImage(fillTemplate(template, { commit: 'a'.repeat(40), ref: 'main', number: 1 }))) return
  const message = 'must make an image such as registry/app:{sha}; it knows {sha}, {short_sha}, {ref} and {number}'
  throw InvalidRequest(`/image ${message}`, { errors: [{ pointer: '/image', code: 'template', message }] })
}

/** @returns the digest that the reference itself names */
export const digestOf = (image: string): string | null => /@(sha256:[0-9a-f]{64})$/.exec(image)?.[1] ?? null

/** @returns the image by its digest, where one is known: a tag may have moved since */
export const pinned = (image: string, digest: string | null): string => {
  if (digest === null || image.includes('@')) return image
  return `${image.replace(/:[^/:]*$/, '')}@${digest}`
}

import type { ContentBody } from '../schemas/text.js'

const postOf = (field: string): number | undefined => {
  const number = /^fields\.posts\.(\d{1,2})$/.exec(field)?.[1]
  return number === undefined ? undefined : Number(number)
}

export const isPost = (field: string): boolean => postOf(field) !== undefined

/** @returns the text of a field, as findings and comments name it; undefined = the version has none */
export const fieldText = (body: ContentBody, field: string): string | undefined => {
  const post = postOf(field)
  if (post !== undefined) return body.fields.posts?.[post]?.text
  switch (field) {
    case 'title': case 'summary': case 'body_markdown': return body[field]
    case 'fields.subject': return body.fields.subject
    case 'fields.preheader': return body.fields.preheader
    case 'seo.title': return body.seo.title
    case 'seo.description': return body.seo.description
    default: return undefined
  }
}

export const postFields = (body: ContentBody): string[] =>
  (body.fields.posts ?? []).map((_, index) => `fields.posts.${index}`)
